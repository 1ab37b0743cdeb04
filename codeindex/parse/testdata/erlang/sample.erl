-module(sample).
-behaviour(gen_server).
-export([total/1, with_tax/2]).
-include("rates.hrl").
-include_lib("kernel/include/file.hrl").
-import(lists, [foldl/3]).

-define(RATE, 0.19).
-record(order, {lines = [] :: [float()],
                name}).
-type money() :: float().
-callback price(term()) -> money().

%% commented() -> ok.

%% @doc Adds up what the lines cost.
-spec total(#order{}) -> money().
total(#order{lines = []}) ->
    0;
total(#order{lines = Lines}) ->
    Add = fun(Line, Sum) -> Sum + with_tax(Line, ?RATE) end,
    foldl(Add, 0, Lines).

with_tax(Amount, Rate) when Amount > 0.5 ->
    case Rate of
        0 -> Amount;
        _ ->
            Text = "quoted() -> ok. ",
            io:format("~s~c", [Text, $.]),
            Amount * (1 + Rate)
    end;
with_tax(_, _) ->
    0.

'odd name'(X) -> X.

handle_call(Request, _From, State) ->
    {reply, total(Request), State}.
