import Foundation
import struct Shop.Money

let limit = 10

/// An order.
@available(iOS 15, *)
public final class Order<T: Priced>: Base, Codable {
    // The lines.
    private var lines: [T] = []

    var twice: Int {
        return price() * 2
    }

    public init(size: Int) {
        super.init()
        check(size)
    }

    deinit { close() }

    /// Adds up.
    @discardableResult
    func total(rate: Double,
               count: Int) async throws -> Money {
        let local = lines.map { $0.price() * rate }
        func add(_ x: Double) -> Double { return x }
        return try await Money(add(local[0])).rounded()
    }

    static func == (a: Order, b: Order) -> Bool { return true }

    subscript(index: Int) -> T { lines[index] }
}

protocol Priced {
    associatedtype Amount
    func price() -> Int
}

struct Point { var x: Int }

enum State: String {
    case open, paid
    func next() -> State { .paid }
}

extension Order: Equatable {
    func label() -> String { "order" }
}

actor Registry {}

typealias Amount = Int

func main() { print(limit) }
