package com.example.orders

import com.example.core.Money
import kotlin.math.round as rounded

const val LIMIT = 10

/** An order. */
@Serializable
class Order<T : Priced>(private val size: Int) : Base(size), Priced {
    // The lines.
    private val lines = mutableListOf<T>()
    var state: State = State.Open
        private set

    init {
        check(size > 0)
    }

    constructor(text: String) : this(text.length)

    /** Adds up. */
    @Throws(Error::class)
    suspend fun total(
        rate: Double,
    ): Money {
        val local = lines.map { it.price() * rate }.sum()
        fun add(x: Double) = x + local
        return Money(rounded(add(1.0)))
    }

    companion object {
        fun read(text: String) = Order<Line>(text)
    }
}

interface Priced {
    fun price(): Int
}

data class Line(val name: String)

enum class State { Open, Paid; fun next() = Paid }

sealed interface Shape

object Registry {
    fun open() {}
}

typealias Amount = Long

fun String.shout(): String = uppercase()

val handler: (Int) -> Unit = { x -> println(x) }
