// Package vectors keeps one vector for each chunk of a segment, and finds those that are
// nearest to another.
//
// A vector is kept as 8-bit numbers with a scale, 392 bytes of 384 numbers, where floats take
// 1536: of a cosine that costs less than .005. The signs of its difference from the mean tell
// which rows are worth to be compared at all.
package vectors
