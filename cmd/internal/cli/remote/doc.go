// Package remote has the commands that move the memory to and from remotes.
package remote
