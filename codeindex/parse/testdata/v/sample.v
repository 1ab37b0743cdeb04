module shop

import os
import math.stats

// The rate of tax.
pub const rate = 0.19

pub enum State {
	open
	paid
}

type Money = f64

// What has a price.
pub interface Priced {
	price() f64
}

/* fn commented() {
/* nested */
} */

// An order of some lines.
@[heap]
pub struct Order {
pub:
	lines []f64
	name  string = 'fn quoted() {'
}

// Adds up.
pub fn (o &Order) price() f64 {
	mut sum := 0.0
	for line in o.lines {
		if line > 0 {
			sum += with_tax(line)
		}
	}
	return sum
}

fn with_tax(amount f64) f64 {
	return amount * (1 + rate)
}

fn first[T](list []T) T {
	return list[0]
}

fn C.puts(s &char) int

fn test_tax() {
	assert with_tax(100) == 119
}

fn main() {
	println('${Order{}.price()} }')
}
