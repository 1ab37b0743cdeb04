`include "rates.svh"
`define RATE 19

// Types of orders.
package shop_pkg;
  import rates::*;
  typedef logic [31:0] money_t;
  localparam int MAX = 10;

  /* function int commented();
  endfunction */

  // Adds the tax.
  function automatic int with_tax(input int amount);
    if (amount > 0) begin
      return amount * (100 + `RATE) / 100;
    end
    return 0;
  endfunction
endpackage

interface priced_if (input logic clk);
  logic [31:0] price;
endinterface

// Adds up.
module total #(
  parameter WIDTH = 32
) (
  input  logic clk,
  output logic [WIDTH-1:0] sum
);
  always_ff @(posedge clk) begin
    sum <= sum + with_tax(1);
  end

  task show(input int x);
    $display("module quoted; %0d", x);
  endtask : show
endmodule : total

virtual class Order;
  int lines[$];

  function new();
    lines = {};
  endfunction

  virtual function int price();
    return lines.sum();
  endfunction
endclass
