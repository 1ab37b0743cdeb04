"""Orders and what they cost."""
import json
import os.path as paths
from decimal import Decimal
from .money import Currency, round_up

DEFAULT_RATE = Decimal("0.19")  # a comment behind it is not a doc

# What an order may be.
# In words.
STATES: list[str] = ["open", "paid"]

type Amount = int | Decimal


@cached(size=10)
@registered
async def total(order, *, rate: Decimal = DEFAULT_RATE) -> Decimal:
    """Add up an order.

    Taxes are included.
    """
    local = sum(line.price for line in order.lines)

    def taxed(amount):
        return round_up(amount * (1 + rate))

    return taxed(local)


class Order(Base, metaclass=Meta):
    """A list of lines."""

    limit = 100

    # Says whether it was paid.
    @property
    def paid(self) -> bool:
        return self.state == "paid"

    @staticmethod
    def read(text): return Order(**json.loads(text))

    class Line[T]:
        def price(
            self,
            count: int,
        ) -> Decimal:
            key = lambda item: item.weight()
            match count:
                case 0:
                    return Decimal(0)
            return self.prices()[0].times(count)


def test_total():
    assert total(None) == 0


if __name__ == "__main__":
    print(total(Order.read(open(paths.join("a", "b")).read())), f"{total(None)=}")
