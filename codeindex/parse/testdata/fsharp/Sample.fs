namespace Shop

open System
open System.Collections.Generic

/// The state of an order.
type State =
    | Open
    | Paid of DateTime

(* type Commented = int
   (* nested *) *)

/// What has a price.
type IPriced =
    abstract member Price: unit -> float

/// An order of some lines.
[<CLIMutable>]
type Order =
    { Lines: float list
      Name: string }

    /// Adds up.
    member this.Total() =
        this.Lines |> List.sumBy (fun line -> line * 1.19)

    static member Empty = { Lines = []; Name = "let quoted x = 1" }

    interface IPriced with
        member this.Price() = this.Total()

module Rates =
    let rate = 0.19

    // let commented x = x
    let withTax amount =
        let add a b =
            a + b
        let quote = '"'
        add amount (amount * rate)

    let rec fold f state list =
        match list with
        | [] -> state
        | head :: tail -> fold f (f state head) tail

    let twice = fun x ->
        x + x

    let text = """
let alsoQuoted x = x
"""

module Program =
    [<EntryPoint>]
    let main argv =
        printfn "%f" (Rates.withTax 1.0)
        0
