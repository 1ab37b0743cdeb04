package shop.order;

import haxe.ds.StringMap;
using StringTools;

enum State {
    Open;
    Paid(at:Date);
}

typedef Line = {
    var amount:Float;
}

// class Commented {}

interface Priced {
    function price():Float;
}

/**
 * An order of some lines.
 */
@:keep
class Order implements Priced {
    public static inline var RATE = 0.19;
    var lines:Array<Line>;

    public function new(lines:Array<Line>) {
        this.lines = lines;
    }

    /** Adds up. */
    public function price():Float {
        var sum = 0.0;
        for (line in lines) {
            if (line.amount > 0) {
                sum += withTax(line.amount);
            }
        }
        return sum;
    }

    static function withTax(amount:Float):Float
        return amount * (1 + RATE);

    static function main() {
        trace('function quoted() {', new Order([]).price());
    }
}

abstract Money(Float) from Float {
    public inline function new(f:Float) this = f;
}
