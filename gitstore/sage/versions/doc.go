// Package versions keeps several versions of a text in one, as merges leave them, and takes them
// apart again.
package versions
