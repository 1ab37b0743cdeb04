// Package checkpoint holds the commands that save, show, correct, remove and export
// checkpoints.
package checkpoint
