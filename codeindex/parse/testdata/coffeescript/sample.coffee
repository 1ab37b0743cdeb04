rates = require './rates'
import { sum } from 'lodash'

### commented = -> 1
###

# Adds the tax.
withTax = (amount, rate = 0.19) ->
  # alsoCommented = -> 2
  if amount > 0
    amount * (1 + rate)
  else
    0

# An order of some lines.
class Order extends Base
  constructor: (@lines) ->
    super()

  total: ->
    sum (withTax(line) for line in @lines)

  @empty: => new Order []

exports.show = (order) ->
  text = """
quoted = -> 1
"""
  console.log order.total(), "alsoQuoted = ->"

class exports.Line
  amount: 0

describe 'total', ->
  it 'has tax', ->
    expect(withTax(1)).toBe 1.19
