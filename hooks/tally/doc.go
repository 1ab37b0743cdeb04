// Package tally adds up what Claude Code's sessions took in tokens, what git-sage put in front
// of them, and what they made of it.
//
// Tokens of models are the client's own: each answer counts once, by its message id, also where
// a fork of the session has a copy of it. Tokens of texts are counted as everywhere here, a
// fourth of their characters ([legible.EstimateTokens]).
//
// What git-sage added is what a transcript shows that it did: text that a hook put in front of
// the agent and that has the fence of git-sage or names one of its tools or commands, and what
// its MCP tools answered. The definitions of the tools are in no transcript, and not counted.
//
// An item or checkpoint was given to a session if its text stood in such a text, not its title
// alone, and it counts once for each session. It was used if the session, later on,
//
//   - loaded it: it named the id to a tool of git-sage, or to git sage in a shell;
//   - quoted it: the agent said seven words of it in a row, or all of them if it has fewer and
//     at least four;
//   - opened a file that it names: a tool, or a shell command of which it is plain (cat, head,
//     sed, rg), read or changed a file that is among its code references or its paths, or whose
//     path stands in its text.
//
// Whoever looks again reads only transcripts that changed: what was found in each is kept in
// the store's cache, without any text of it.
package tally
