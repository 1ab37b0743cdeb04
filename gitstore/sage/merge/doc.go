// Package merge brings two checkpoints together over the one that both come from, and tells what
// a merge left in an item for a person to settle.
package merge
