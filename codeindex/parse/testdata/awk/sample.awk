#!/usr/bin/awk -f
@include "rates.awk"

# function commented() {}

# Adds the tax.
function with_tax(amount) {
    if (amount > 0) {
        return amount * (1 + rate)
    }
    return 0
}

func twice(x)
{
    return 2 * x
}

BEGIN {
    rate = 0.19
    text = "function quoted() {"
}

$1 > 0 {
    sum += with_tax($1)
}

# Prints what all cost.
END {
    printf "%d }\n", twice(sum)
}
