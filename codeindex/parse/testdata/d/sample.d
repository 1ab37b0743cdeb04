module shop.order;

import std.algorithm : map, sum;
import io = std.stdio;

/// The rate of tax.
enum rate = 0.19;
immutable string name = "void quoted() {";

enum State
{
    open,
    paid
}

alias Money = double;

/+ void commented() {
   /+ nested +/
} +/

/// What has a price.
interface Priced
{
    double price();
}

/**
 * An order of some lines.
 */
class Order : Priced
{
    private double[] lines;

    this(double[] lines)
    {
        this.lines = lines;
    }

    /// Adds up.
    double price()
    {
        if (lines.length > 0)
        {
            return lines.map!(l => withTax(l)).sum;
        }
        return 0;
    }

    static Order empty() { return new Order([]); }
}

struct Line(T)
{
    T amount;
}

double withTax(double amount) @safe
{
    char brace = '{';
    string s = `} void alsoQuoted() {`;
    return amount * (1 + rate);
}

template Twice(T)
{
    alias Twice = T[2];
}

unittest
{
    assert(withTax(100) == 119);
}

void main(string[] args)
{
    io.writeln(new Order([1, 2]).price());
}
