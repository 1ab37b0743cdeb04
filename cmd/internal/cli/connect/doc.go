// Package connect holds the commands that prepare a repository and write git-sage into the
// configuration of agents' clients.
package connect
