package com.example.orders

import com.example.core.Money
import static java.lang.Math.round

/** An order. */
@Entity
class Order extends Base {
    static final int LIMIT = 10
    List lines = []

    // Adds up.
    @Override
    def total(double rate) {
        def local = lines.sum()
        return new Money(round(local))
    }

    private String label() {
        "order"
    }
}

interface Priced {
    int price()
}

def helper(x) {
    println x
    helper(x)
}
