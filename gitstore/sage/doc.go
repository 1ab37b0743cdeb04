// Package sage holds the nouns of git-sage: a checkpoint, what it is made of,
// and the Markdown that it is stored as.
//
// It knows nothing of git. Everything here is a value: it can be parsed,
// printed, checked, compared and merged, and does no input or output.
//
// The package is larger than others because a checkpoint's form, its merge and
// its diff must agree on every field; a field that one of them forgets is lost.
// The tables in fields.go name each field once.
//
// The stored form is described in FORMAT.md of package gitstore. [Parse] and
// [Marshal] are its two ends; [ParseInput] is for what people and agents write.
//
// Size: 7800 lines and 106 names, for a checkpoint and an item are read, written, merged
// and compared field by field.
package sage
