defmodule Shop.Order do
  @moduledoc """
  Orders.
  """
  use GenServer
  import Ecto.Query, only: [from: 2]
  alias Shop.Money
  require Logger

  @limit 10
  @type amount :: integer()

  defstruct [:name, lines: []]

  @doc """
  Adds up.
  """
  @spec total(t(), float()) :: amount()
  def total(%__MODULE__{lines: lines} = order, rate \\ 1.0) when rate > 0 do
    lines
    |> Enum.map(&(&1.price * rate))
    |> sum()

    Money.new(helper(order))
  end

  # Helps.
  defp helper(order), do: order.name

  def open?, do: true

  defmacro square(x) do
    quote do: unquote(x) * unquote(x)
  end

  defmodule Line do
    def price(line) do
      line.price
    end
  end
end

defprotocol Priced do
  def price(x)
end

defimpl Priced, for: Shop.Order do
  def price(order), do: Shop.Order.total(order)
end

defmodule Shop.OrderTest do
  test "adds up" do
    assert Shop.Order.total(%{}) == 1
  end
end
