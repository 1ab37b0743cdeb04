## Orders and what they cost.
import std/[strutils, tables]
from rates import rateOf

const Rate* = 0.19

type
  State* = enum
    open, paid

  ## What has a price.
  Priced* = ref object of RootObj
    name*: string

  Order* {.packed.} = object
    lines: seq[float]

  Money = distinct float

var counter = 0

#[ proc commented() =
  discard #[ nested ]#
]#

# Adds the tax.
proc withTax*(amount: float;
              rate = Rate): float =
  let brace = '"'
  result = amount * (1 + rate)

func total*(order: Order): float {.inline.} =
  proc add(sum, line: float): float =
    sum + withTax(line)

  for line in order.lines:
    if line > 0:
      result = add(result, line)

method price*(p: Priced): float {.base.} =
  let text = """
proc quoted() =
"""
  echo "proc alsoQuoted() =", text
  0.0

proc `+`*(a, b: Order): Order = a

iterator pairs*(o: Order): (int, float) =
  for i, line in o.lines:
    yield (i, line)

template twice(body: untyped) =
  body
  body

when isMainModule:
  echo total(Order(lines: @[1.0]))
