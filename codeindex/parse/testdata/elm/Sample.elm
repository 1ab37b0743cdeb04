module Shop.Order exposing (Order, total)

import Html exposing (div, text)
import Json.Decode as Decode


{-| An order.
-}
type alias Order =
    { lines : List Line
    , size : Int
    }


type State
    = Open
    | Paid Int


-- Adds up.
total : Float -> Order -> Float
total rate order =
    let
        add x =
            x * rate
    in
    order.lines
        |> List.map (\line -> add line.price)
        |> List.sum


port save : String -> Cmd msg


main =
    div [] [ text (String.fromFloat (total 1 empty)) ]
