// Package admin holds the commands that keep the memory in shape: maintenance, purge, undo,
// and what waits for a session that was compacted.
package admin
