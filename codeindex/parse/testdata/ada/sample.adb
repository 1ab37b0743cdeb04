with Ada.Text_IO;
with Ada.Containers.Vectors; use Ada.Containers;

--  Orders and what they cost.
package body Shop is

   Rate : constant Float := 0.19;

   type State is (Open, Paid);
   subtype Money is Float range 0.0 .. 1.0E6;

   type Order (Size : Positive) is record
      Lines : Float_Array (1 .. Size);
      Mark  : Character := ''';
   end record;

   package Lists is new Vectors (Positive, Float);

   --  procedure Commented is

   --  Adds the tax.
   function With_Tax (Amount : Float) return Float is
     (Amount * (1.0 + Rate));

   function Later (Amount : Float) return Float;

   --  Adds up what the lines cost.
   function Total
     (O : Order)
      return Float
   is
      Sum : Float := 0.0;

      procedure Add (Amount : Float) is
      begin
         Sum := Sum + Amount;
      end Add;
   begin
      for I in O.Lines'Range loop
         if O.Lines (I) > 0.0 then
            Add (With_Tax (O.Lines (I)));
         end if;
      end loop;
      Ada.Text_IO.Put_Line ("procedure Quoted is");
      return Sum;
   end Total;

   function Later (Amount : Float) return Float is
   begin
      return With_Tax (Amount);
   end Later;

   function "+" (Left, Right : Order) return Order is
   begin
      return Left;
   end "+";

   task type Worker is
      entry Start;
   end Worker;

end Shop;
