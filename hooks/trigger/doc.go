// Package trigger recognises what is worth saving in a conversation, without asking an agent:
// by what was done in it, and by the words of those who speak.
//
// The words are judged by signs: what people say who conclude, leave a choice open, meet
// a limit, agree, turn to something else or want something kept, and what takes that back
// (a condition, a doubt, a plan, a report of somebody else's words). patterns.txt holds
// them, each with an example and a counter-example. [Read] strips a turn of code,
// quotations and the like, splits it into sentences and words, runs all patterns over
// them at once, and adds up the signs of neighbouring sentences as chances. [Detect] puts
// together what the turns of a conversation tell with the work that lies behind them.
//
// Signs know the words that somebody listed, and words are said in more ways than a file
// can list. [ReadAll] therefore asks for a second opinion of what a sign at least hints
// at: the embedded model turns the opening of the turn into a vector, some 7 ms each, 16 for
// two in a new process, and two at most, and a [Head] of a few thousand weights (head.json),
// fitted to labelled turns, weighs it with what the signs tell. Where there is no model, or
// another, signs alone tell. Nothing but 'make eval TRIGGERS=fit' writes head.json; it has
// to run again when patterns.txt or the labelled turns have changed.
//
// Precision and recall, of signs alone and with the head, on turns that were held out:
// .80/.57 and .93/.80 on 189, .91/.72 and .97/.86 on 120, .83/.49 and .99/.74 on 150. Of the
// 1,028 turns that it is fitted to, a head that was fitted to others finds .75 with .93. On
// 300 turns of routine there are 2 false alarms. Of 2,000 turns of chat among friends (LoCoMo)
// 1 in 100 passes for a moment, by signs alone 3. 'make eval TRIGGERS=all'.
package trigger
