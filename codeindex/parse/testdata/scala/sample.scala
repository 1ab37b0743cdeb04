package com.example.orders

import com.example.core.{Money, Rate}
import scala.math._

/** An order. */
@deprecated
class Order[T <: Priced](val size: Int) extends Base(size) with Priced {
  private val lines = List.empty[T]
  var state: State = State.Open
  type Amount = Long

  // Adds up.
  def total(rate: Double)(implicit c: Context): Money = {
    val local = lines.map(_.price * rate).sum
    def add(x: Double) = x + local
    new Money(round(add(1.0)))
  }

  override def price: Int = helper[Int](1)
}

object Order {
  def apply(text: String): Order[Line] = new Order(text.length)
}

trait Priced {
  def price: Int
}

case class Line(name: String)

enum State:
  case Open, Paid

given ordering: Ordering[Line] = Ordering.by(_.name)

extension (s: String)
  def shout: String = s.toUpperCase()

val limit = 10
