// Package record reads and writes what the message of a commit tells of a checkpoint: all
// that a list needs.
//
// Size: 35 names, for each room reads what a message tells.
package record
