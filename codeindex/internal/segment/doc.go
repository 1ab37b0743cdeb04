// Package segment keeps what was found in source files in immutable files on disk: their
// chunks, and the tables by which words, names and calls are found.
//
// A source file is known by its blob id alone. It has no path here: the same blob stands at
// many paths and in many commits, and what was found in it holds in all of them. A chunk is a
// piece of a file that is found by itself, mostly a definition.
//
// The sections of a file, in the form of package box:
//
//	files     blob id, state, language and first chunk of each file, by id
//	chunks    lines, kind, lengths, and where the strings of a chunk lie
//	strings   name, container, signature and doc of each chunk
//	labels    languages and kinds, one a line
//	terms     hash of a term, where its postings lie, and their checksum, by hash
//	postings  of each term: the chunks that have it, by difference, with a byte of counts
//	symbols   hash of a name in lower case, and the chunk that defines it
//	calls     hash of a name, and the chunk and line that call it
//	texts     hash of what is embedded of each chunk
//
// Of Go's source tree (111 MB) it takes 325 bytes a chunk.
package segment
