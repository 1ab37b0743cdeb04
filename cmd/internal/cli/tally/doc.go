// Package tally holds the command that tells what sessions took and what the memory did for
// them.
package tally
