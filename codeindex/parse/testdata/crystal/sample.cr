require "json"
require "./rates"

# Orders and what they cost.
module Shop
  RATE = 0.19

  enum State
    Open
    Paid
  end

  alias Money = Float64

  # def commented; end

  abstract class Priced
    abstract def price : Float64
  end

  # An order of some lines.
  @[JSON::Serializable]
  class Order < Priced
    getter lines : Array(Float64)

    def initialize(@lines); end

    # Adds up.
    def price : Float64
      sum = 0.0
      @lines.each do |line|
        sum += with_tax(line) if line > 0
      end
      sum
    end

    def empty? : Bool
      text = <<-TEXT
        def quoted
        TEXT
      @lines.empty? && text == "def also_quoted" && '"' != 'a'
    end

    def self.with_tax(amount)
      if amount > 0
        amount * (1 + RATE)
      else
        0.0
      end
    end

    private def [](i)
    end
  end

  struct Line
    property amount = 0.0
  end

  macro twice(body)
    {{body}}
  end
end

describe Shop::Order do
  it "has tax" do
    Shop::Order.with_tax(1).should eq 1.19
  end
end
