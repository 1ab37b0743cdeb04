include "rates.thrift"

namespace go shop.order

const i32 RATE = 19

typedef double Money

// What an order is in. enum Commented { A }
enum State {
  OPEN = 1,
  PAID = 2,
}

/* struct AlsoCommented {
} */

/** An order of some lines. */
struct Order {
  1: required list<Money> lines,
  2: optional string name = "struct Quoted {",
  3: State state
}

exception TooLittle {
  1: Money sent
}

# Sells things.
service Shop extends rates.Rates {
  Money total(1: Order order) throws (1: TooLittle e),
  oneway void forget(1: i64 id)
}
