// Package diff compares two checkpoints or two states of an item, and shows the difference to a
// person.
package diff
