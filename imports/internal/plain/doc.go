// Package plain reads the plain files of other tools: text in any of the usual encodings,
// front matter that people edited by hand, and folders whose links may lead anywhere.
package plain
