// Package sage holds the nouns of git-sage: a checkpoint, what it is made of,
// and the Markdown that it is stored as.
//
// It knows nothing of git. Everything here is a value: it can be parsed,
// printed, checked, compared and merged, and does no input or output.
package sage
