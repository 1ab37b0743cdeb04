//! Orders.
use std::collections::{HashMap, HashSet};
use crate::money as m;

pub const LIMIT: usize = 10;
static mut COUNT: u32 = 0;
type Amount = i64;

/// An order.
///
/// With lines.
#[derive(Debug, Clone)]
pub struct Order<T> {
    pub lines: Vec<T>,
}

pub enum State {
    Open,
    Paid { at: u64 },
}

pub trait Priced: Sized {
    const FREE: bool = false;
    fn price(&self) -> Amount;
    fn twice(&self) -> Amount {
        self.price() * 2
    }
}

impl<T: Priced> Order<T> {
    // Adds up.
    #[inline]
    pub async fn total(&self, rate: f64) -> Result<Amount, Error> {
        let add = |x: i64| x + round(rate);
        let v = self.lines.iter().map(|l| l.price()).collect::<Vec<_>>();
        println!("{}", v.len());
        Ok(m::Money::new(add(v[0])).value()?)
    }
}

impl<T> Priced for Order<T> {
    fn price(&self) -> Amount {
        helper::<T>(0)
    }
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

mod inner {
    pub(crate) fn open() {}
}

extern "C" {
    fn shop_open(name: *const u8) -> i32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_up() {
        assert_eq!(square!(2), 4);
        assert!(m::check(helper::<i64>(3)).is_ok(), "not helper(4)"); // nor helper(5)
        let all = vec![Order::of(helper(6)), if (true) { 1 } else { 2 }];
    }
}
