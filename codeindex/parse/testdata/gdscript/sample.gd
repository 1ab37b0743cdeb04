class_name Order
extends Node2D

signal paid(amount)

enum State { OPEN, PAID }

const RATE := 0.19

## What it costs.
@export var lines: Array[float] = []
@onready var label = $Label

# func commented():

class Line:
	var amount := 0.0

	func taxed() -> float:
		return amount * (1 + RATE)


## Adds up.
func total() -> float:
	var sum := 0.0
	for line in lines:
		if line > 0:
			sum += with_tax(line)
	var text = """
func quoted():
"""
	return sum


@rpc("any_peer")
func pay(
		amount: float,
) -> void:
	paid.emit(amount)


static func with_tax(amount: float) -> float:
	return amount * (1 + RATE) # func not_this():
