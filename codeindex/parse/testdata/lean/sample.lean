import Mathlib.Data.List.Basic

namespace Shop

/-- An order of some lines. -/
structure Order where
  lines : List Nat
  name : String

inductive State
  | open_
  | paid

/- def commented := 1
   /- nested -/ -/

-- theorem alsoCommented : 1 = 1 := rfl

class Priced (α : Type) where
  price : α → Nat

def rate : Nat := 19

/-- Adds the tax. -/
def withTax (amount : Nat) : Nat :=
  amount * (100 + rate) / 100

/-- Adds up. -/
@[simp]
def Order.total (o : Order) : Nat :=
  o.lines.foldl (init := 0) fun sum line =>
    sum + withTax line

instance : Inhabited Order := ⟨[], "def quoted := 1"⟩

instance orderPriced : Priced Order where
  price := Order.total

theorem total_empty : Order.total ⟨[], ""⟩ = 0 := by
  simp [Order.total]

end Shop
