// Package onnx is an embed.Embedder for ONNX models that the encoder cannot run, through
// hugot and its backend in Go. It is there only in programs that are built with -tags
// hugot.
//
// The tag is there because of what it costs, measured with hugot v0.7.4, static and
// stripped, as whole processes that do nothing: 3.7 ms where an empty one takes 1.2
// (least of 60, a busy machine), at each start, whether or not there is such a model,
// and 9 MB of program. The first text takes half a second and 340 MB. So no hook uses
// one: there words alone answer.
//
// hugot is handled with care: a batch that is empty ends the process in a goroutine
// that nobody can guard, and is never given to it; U+FEFF and U+200B, which its
// tokenizer takes for unknown words, are left out; the length of a batch is counted
// here, since it counts one token where a model has no attention mask; pooling by the
// first token and prefixes, which it does not know, are done here.
package onnx
