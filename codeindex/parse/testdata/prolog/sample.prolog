:- module(order, [total/2]).
:- use_module(library(lists)).

% commented(X) :- X.

/* also_commented(X) :- X. */

rate(0.19).

%% total(+Lines, -Sum)
%  Adds up what the lines cost.
total([], 0).
total([Line|Rest], Sum) :-
    with_tax(Line, Taxed),
    total(Rest, Others),
    Sum is Taxed + Others.

with_tax(Amount, Taxed) :-
    rate(R),
    Amount > 0.5,
    format("quoted(X) :- X. ~w", [R]),
    Taxed is Amount * (1 + R).

order --> line, order.
order --> [].

line --> [amount(_)].
