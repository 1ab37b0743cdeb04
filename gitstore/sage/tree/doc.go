// Package tree reads YAML and JSON as one kind of tree, before anything is guessed about types,
// and prints values as YAML in one form only.
package tree
