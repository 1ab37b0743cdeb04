module Shop.Order where

import Prelude
import Data.Array (foldl)
import Data.Map as Map

-- | An order of some lines.
type Order =
  { lines :: Array Number
  , name :: String
  }

data State = Open | Paid

newtype Rate = Rate Number

derive instance eqState :: Eq State

{- commented :: Int
commented = 1 -}

-- | What has a price.
class Priced a where
  price :: a -> Number

instance pricedRate :: Priced Rate where
  price (Rate r) = r

foreign import now :: Number -> Number

-- | Adds up.
total :: Order -> Number
total order = foldl add 0.0 order.lines
  where
  add sum line = sum + withTax (Rate 0.19) line

withTax :: Rate -> Number -> Number
withTax (Rate r) amount
  | amount > 0.0 = amount * (1.0 + r)
  | otherwise = 0.0

text :: String
text = """
quoted :: Int
"""
