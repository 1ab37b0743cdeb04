// Package weights holds the encoders that are built in: Prose for what people write,
// Code for source code. README.md tells where they come from and under what licence.
// They are strings, because strings lie in read-only memory: what is never looked at
// is never loaded, and 58 MB of them cost a start nothing. Only cmd imports this
// package; with the build tag nomodel both are empty.
package weights
