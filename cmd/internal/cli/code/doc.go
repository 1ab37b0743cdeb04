// Package code holds the commands that index a repository's code and find it by what it does
// and by its names.
package code
