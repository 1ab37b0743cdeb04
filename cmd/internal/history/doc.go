// Package history lists checkpoints, and changes of the knowledge, as git log lists commits.
package history
