open Printf
module M = Map.Make (String)

(** How many. *)
let limit = 10

type state = Open | Paid of int

type 'a order = {
  lines : 'a list;
  size : int;
}

exception Empty of string

(** Adds up. *)
let rec total ~rate order =
  let add x = x *. rate in
  List.fold_left (fun a l -> a +. add l.price) 0. order.lines

and helper x = total ~rate:1. (M.find x orders)

module type Priced = sig
  val price : t -> int
end

module Line = struct
  type t = int
  let price l = sprintf "%d" l
end

class account size =
  object (self)
    val mutable balance = 0
    method open_ x = self#check x
  end

external now : unit -> float = "unix_now"

let () = print_endline (Line.price 1)
