// Package githooks writes the hooks of git that keep the index of code and the notes on
// commits fresh, each in front of the hook that the user had there, and removes them again.
package githooks
