// Package merge brings two checkpoints together over the one that both come from, and tells what
// a merge left in an item for a person to settle.
//
// Items are merged as files, by package threeway: it keeps the order, comments and style of
// what people wrote, for any number of clones, where this one joins two values under the laws
// of a semilattice. Both take lists as sets, by [Set].
package merge
