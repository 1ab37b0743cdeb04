library ieee;
use ieee.std_logic_1164.all;
use work.rates.all;

-- Orders and what they cost.
package shop is
  constant RATE : integer := 19;
  type state is (open_order, paid);
  subtype money is integer range 0 to 100000;
  function with_tax(amount : money) return money;
end package shop;

package body shop is
  -- function commented return money is
  -- Adds the tax.
  function with_tax(amount : money) return money is
  begin
    if amount > 0 then
      report "function quoted is";
      return amount * (100 + RATE) / 100;
    end if;
    return 0;
  end function with_tax;
end package body;

entity total is
  port (
    clk : in  std_logic;
    sum : out integer
  );
end entity total;

architecture rtl of total is
  signal value : integer := 0;
begin
  add_up : process (clk)
  begin
    if rising_edge(clk) then
      if clk = '1' then
        value <= value + with_tax(1);
      end if;
    end if;
  end process add_up;

  sum <= value;
end architecture rtl;
