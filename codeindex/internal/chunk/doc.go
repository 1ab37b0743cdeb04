// Package chunk cuts source files into the pieces that code search finds: a definition each,
// with its comment and signature; what is long in parts, what lies between definitions by
// itself, and lines where no syntax is known.
package chunk
