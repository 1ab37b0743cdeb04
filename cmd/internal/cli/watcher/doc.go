// Package watcher holds the commands on the process that reads along in transcripts where
// hooks are off.
package watcher
