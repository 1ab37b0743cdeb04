// Package record reads and writes what the message of a commit tells of a checkpoint: all
// that a list needs.
package record
