// Package vectors keeps the vectors of chunks in immutable files, with a sketch of each in
// bits that is compared first.
package vectors
