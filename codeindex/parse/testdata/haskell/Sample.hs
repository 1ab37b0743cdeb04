{-# LANGUAGE OverloadedStrings #-}
-- | Orders and what they cost.
module Shop.Order
  ( Order (..)
  , total
  ) where

import qualified Data.Map.Strict as Map
import Data.List (foldl')

-- | An order of some lines.
data Order = Order
  { lines_ :: [Double]
  , name   :: String
  } deriving (Show, Eq)

newtype Rate = Rate Double

type Totals = Map.Map String Double

{- Nested {- data None = None -}
commented :: Int
commented = 1
-}

-- | What has a price.
class Priced a where
  price :: a -> Double
  price _ = 0

instance Priced Order where
  price = total

-- | Adds up what the lines cost.
total :: Order -> Double
total (Order [] _) = 0
total order = foldl' add 0 (lines_ order)
  where
    add sum' line = sum' + withTax rate line
    rate :: Rate
    rate = Rate 0.19

withTax
  :: Rate
  -> Double
  -> Double
withTax (Rate r) amount
  | amount > 0 = amount * (1 + r)
  | otherwise  = 0

quoted :: String
quoted = "\
  \none :: Int\n"

quote :: Char
quote = '"'

main :: IO ()
main = do
  let order = Order [1, 2] "first"
  print (total order)
