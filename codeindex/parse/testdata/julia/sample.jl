module Shop

using LinearAlgebra
import Base: show
include("rates.jl")

const RATE = 0.19

abstract type Priced end

"""
    Order(lines)

An order of some lines. function quoted() end
"""
mutable struct Order <: Priced
    lines::Vector{Float64}
    name::String
end

struct Empty end

#= function commented()
end =#

# Adds up what the lines cost.
function total(order::Order; rate = RATE)
    sum = 0.0
    for line in order.lines
        if line > 0
            sum += with_tax(line, rate)
        end
    end
    last = order.lines[end]
    return sum + transpose(last)' * 0
end

with_tax(amount, rate) = amount * (1 + rate)

function Base.show(io::IO, order::Order)
    print(io, "function no() ", order.name)
end

macro twice(ex)
    quote
        $(esc(ex))
        $(esc(ex))
    end
end

@inline function fast!(x)
    x[1] = 'a'
end

@testset "totals" begin
    @test total(Order([1.0], "a")) ≈ 1.19
end

end # module
