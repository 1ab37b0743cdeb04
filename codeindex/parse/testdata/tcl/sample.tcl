#!/usr/bin/env tclsh
package require Tcl 8.6
source rates.tcl

# Orders and what they cost.
namespace eval shop {
    variable rate 0.19

    # Adds the tax.
    proc with_tax {amount {rate 0.19}} {
        return [expr {$amount * (1 + $rate)}]
    }

    # proc commented {} {}
}

proc total {lines} {
    set sum 0
    foreach line $lines {
        if {$line > 0} {
            set sum [expr {$sum + [shop::with_tax $line]}]
        }
    }
    set text "proc quoted {} \{"
    puts \{$text
    return $sum
}

proc shop::show args {
    puts [total $args]
}

oo::class create Order {
    variable lines

    constructor {l} {
        set lines $l
    }

    method price {} {
        return [total $lines]
    }
}

oo::define Order method size {} {
    return 0
}

test total-1 {adds up} {
    total {1 2}
} 3.57

proc nested {event {body {exec {}}}} {
    return 1
}
