// Package checkpoint holds the commands that save, show, correct and remove checkpoints.
package checkpoint
