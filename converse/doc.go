// Package converse asks a language model, and streams what it answers: the one behind the
// user's own Claude Code, or any endpoint that speaks as Anthropic's Messages or OpenAI's chat
// completions do, such as one on this machine.
//
// It sends what it is given to whom the user's settings name, and a key to no other host. What
// is in it, what is redacted, and what may be said is the caller's to know. What went wrong is a
// [RefusedError], which somebody has to change something for, or a [BusyError], which passes.
package converse
