require "json"
require_relative "money"

# Orders.
module Shop
  LIMIT = 10

  # An order.
  class Order < Base
    include Enumerable
    attr_reader :lines, :state
    RATE = 0.19

    def initialize(size)
      @size = check(size)
    end

    # Adds up.
    def total(rate: RATE, &block)
      local = lines.map { |l| l.price * rate }.sum
      helper
      yield local
    end

    def self.read(text) = new(JSON.parse(text))

    class << self
      def open?
        true
      end
    end

    def [](index)
      @lines[index]
    end

    private

    def state=(value)
      Money::Amount.new(value).check!
    end
  end
end

class Shop::Order::Line; end

RSpec.describe Shop::Order do
  it "adds up" do
    expect(order.total).to eq(1)
  end
end
