import gleam/list
import gleam/io.{println}

/// The rate of tax.
pub const rate = 0.19

/// An order of some lines.
pub type Order {
  Order(lines: List(Float), name: String)
}

pub type Money =
  Float

pub opaque type State(a) {
  Open
  Paid(a)
}

// fn commented() { 1 }

/// Adds up.
pub fn total(order: Order) -> Float {
  list.fold(order.lines, 0.0, fn(sum, line) { sum +. with_tax(line) })
}

fn with_tax(
  amount: Float,
) -> Float {
  case amount >. 0.0 {
    True -> amount *. { 1.0 +. rate }
    False -> 0.0
  }
}

@external(erlang, "shop", "now")
pub fn now() -> Int

pub fn main() {
  println("fn quoted() {
  ")
}
