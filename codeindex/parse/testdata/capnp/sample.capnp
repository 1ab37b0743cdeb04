@0xdbb9ad1f14bf0b36;

using Rates = import "rates.capnp";

const rate :Int32 = 19;

# struct Commented {}

# An order of some lines.
struct Order {
  lines @0 :List(Float64);
  name @1 :Text = "struct Quoted {";

  enum State {
    open @0;
    paid @1;
  }
  state @2 :State;
}

interface Shop {
  total @0 (order :Order) -> (sum :Float64);
}
