// Package trigger recognises what is worth saving in a conversation, without a model: by
// what was done in it, and by the words of those who speak.
//
// The words are judged by signs: what people say who conclude, leave a choice open, meet
// a limit, agree, turn to something else or want something kept, and what takes that back
// (a condition, a doubt, a plan, a report of somebody else's words). patterns.txt holds
// them, each with an example and a counter-example. [Read] strips a turn of code,
// quotations and the like, splits it into sentences and words, runs all patterns over
// them at once, and adds up the signs of neighbouring sentences as chances. [Detect] puts
// together what the turns of a conversation tell with the work that lies behind them.
//
// On the 365 turns that the rules were written with, precision is .94 and recall .86, on
// 300 turns of routine there is no false alarm. On the 189 that were held out it is .80 and
// .57: words are said in more ways than a file can list, most of all by who turns to something
// else, and what is missed is caught by the counts of turns and tokens. Of 2,000 turns of
// chat among friends (LoCoMo) 3 in 100 pass for moments. 'make eval TRIGGERS=all'.
package trigger
