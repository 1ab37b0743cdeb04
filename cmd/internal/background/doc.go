// Package background runs commands of git-sage's own in processes that nobody waits for, on
// the store that is meant or on none.
package background
