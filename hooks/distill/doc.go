// Package distill has a model write the record of a session: the one behind the user's own
// Claude Code, or any endpoint that speaks as Anthropic's Messages or OpenAI's chat
// completions do, such as one on this machine.
//
// A model is not believed. Of its answer counts what it can quote: each entry has a
// quotation that a person or the agent said, word for word, and goes without it. Nothing
// that a tool printed can be quoted, so that a page or a file cannot speak through the
// model. An entry has to agree with the whole sentences that its quotation stands in: it
// denies what they deny, has their numbers, units and names, tells no guess or plan as a
// fact, and claims nobody for it who did not say it. Where it does not, those sentences take
// its place, if they can stand for themselves. Situations in which a fact is wanted, for
// which nobody can be quoted, may only describe; nothing reads them as a fact. What is left
// is marked as written by a model, and nobody stands for it.
//
// Conversations wait in a [Queue], a file each, beside the memory of their repository. What
// a day may cost is in a [Budget], for all repositories of the user. Who works on the queue
// is the concern of package hooks.
package distill
