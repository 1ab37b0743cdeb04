// Package usage is the grammar of a command line: what a command takes, how its help is
// printed, and what was meant by one that is misspelt. It knows no store.
package usage
