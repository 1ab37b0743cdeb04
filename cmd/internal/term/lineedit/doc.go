// Package lineedit edits what a person types at a terminal: a line, or several that were pasted
// at once. It knows the keys of readline that people use most, keeps a history, and measures
// text by what it takes on a screen, where a character may have two columns or none.
//
// golang.org/x/term has an editor too, which counts a column for each character, keeps the line
// behind a Ctrl-C, and hands out a paste line by line.
package lineedit
