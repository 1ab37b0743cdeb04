// Package faults has no code but tests: they make every file operation and every
// call of git fail in turn, in all that writes to a store, and see that it says so
// and leaves the old state, or is done. With the build tag torture they leave out
// no point.
package faults
