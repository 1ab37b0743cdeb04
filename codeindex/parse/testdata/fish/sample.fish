#!/usr/bin/env fish
source rates.fish

set -g rate 19

# Adds the tax.
function with_tax --argument amount
    # function commented
    if test $amount -gt 0
        math "$amount * (100 + $rate) / 100"
    end
end

function total -d 'function quoted'
    set -l sum 0
    for line in $argv
        set sum (math $sum + (with_tax $line))
    end
    echo "
function also_quoted
end
" $sum
end

alias t total
abbr -a tt 'total 1'
