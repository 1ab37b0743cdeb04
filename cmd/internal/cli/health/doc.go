// Package health holds the commands that say where you stand and whether all is well.
package health
