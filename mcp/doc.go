// Package mcp serves the memory to an agent over the Model Context Protocol,
// on standard input and output, or to several over HTTP.
//
// The types and the protocol's rules are those of mcp-go's package mcp. Its
// package server is left out: it links a JSON Schema compiler whose
// initialisation costs every start of the program 3 ms, hooks included, and it
// drops calls that are under way when its input ends. What it would do here,
// a transport of lines and a switch over six methods, is in internal/protocol,
// internal/conn and internal/server; and for HTTP in internal/overhttp, which lets in nobody
// but who has the token, and no page of a browser.
//
// Every tool answers with text, never with structured content: the client
// would show the model only that.
//
// # Tools
//
// They come in modules, of which the front end chooses ([Options.Modules]). All of
// them together cost a session at most 4,000 tokens of schemas: see [tool.Tool.Describe] for what
// is left out. What they show of the memory stands in a fence, and what comes from
// memory never stands outside of one, but for ids and what a tool was just given.
//
// Checkpoints, items and pinned notes are resources as well, sage://<kind>/<id>.
//
// Where the client has hooks, a session is shown at its start what the memory holds
// for it. One that was shown nothing finds it before the answer of its first call. What
// a session lost behind a compaction stands before the next answer, once, unless a hook
// was faster.
//
// A client that tells no project in its environment is asked for the folders that it has
// open, and the memory is that of the first ([Options.Roots]).
//
// Which session that is the client tells in the environment, once; afterwards it may
// begin others. So whoever knows better is asked for every call ([Options.Client]).
//
// # What arguments may look like
//
// Arguments are checked here, whatever the client checked, and what is wrong is
// said by the name of the field, all of it at once. These other shapes, which
// agents do send, are understood:
//
//   - null for an argument that is not given
//   - a number, or true and false, as text: "0.8", "true"
//   - a list as JSON text, as one text (which is its only item), or as one text
//     of lines that begin with "- "
//   - one mapping where a list of mappings is wanted
//   - a mapping, or a list of them, as JSON text
//   - a text where a mapping is wanted, for the part that matters: the take of a
//     source, the nature of a tension, the content of a contribution, file:10-20
//     of a code reference
//
// Anything else is refused: an unknown argument, a confidence of "high", text
// that is no Unicode or holds a NUL.
package mcp
