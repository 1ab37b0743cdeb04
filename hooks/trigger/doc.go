// Package trigger recognises what is worth saving in a conversation, without asking an agent:
// by what was done in it, and by the words of those who speak.
//
// The words are judged by signs: what people say who conclude, leave a choice open, meet
// a limit, agree, turn to something else or want something kept, and what takes that back
// (a condition, a doubt, a plan, a report of somebody else's words). In English patterns.txt
// holds them, each with an example and a counter-example; the word lists of package prose
// hold the outright ones for eight languages. [Read] takes the sentences of a turn, finds the
// signs of each, adds what its label or heading announces, and adds up the signs of
// neighbouring sentences as chances. A yes behind a proposal makes the proposal a decision
// (agree.go). [Detect] puts together what the turns of a conversation tell with the work that
// lies behind them.
//
// Signs know the words that somebody listed, and words are said in more ways than a file
// can list. [ReadAll] therefore asks for a second opinion of what a sign at least hints
// at: the embedded model turns the opening of the turn into a vector, some 7 ms each, 16 for
// two in a new process, and two at most, and a [Head] of a few thousand weights (head.json),
// fitted to labelled turns, weighs it with what the signs tell. Where there is no model, or
// another, and in languages other than English, signs alone tell. Nothing but 'make eval TRIGGERS=fit' writes head.json; it has
// to run again when patterns.txt or the labelled turns have changed.
//
// What is labelled as a conclusion, or said in words that mean nothing else, no head takes
// back. How well all this does is in testdata/trigger/README.md: 'make eval TRIGGERS=all'.
package trigger
