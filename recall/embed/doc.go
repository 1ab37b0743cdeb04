// Package embed turns text into vectors whose dot products tell how near two texts
// are in meaning. An Embedder does so; Bert is the one that needs nothing but a file
// of weights: a sentence encoder of the BERT family with a tokenizer, a network and
// kernels of its own, in Go and assembly, without cgo.
//
// # The encoder
//
// Weights are 8-bit numbers, read where they lie in the program or a mapped file:
// opening one takes 10 microseconds, and a short text touches some of its pages only.
// Package internal/format has the layout, package convert makes such files, package
// weights holds the two that are built in.
//
// A text becomes token ids (tokenizer), a row of numbers each. Rows of several texts
// lie end to end without padding (batch). Before each linear map a row is rounded to
// 8 bits with a scale of its own, so that the sums are exact integers, equal on every
// kernel; everything else is computed in float32. One short text is computed by one
// goroutine, a longer one by two (team), many by as many as there are processors, 256
// tokens at a time.
package embed
