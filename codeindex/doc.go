// Package codeindex finds code by what it does, by its names, and by what git knows of it.
//
// What is found in a source file is kept under the id of its blob (internal/segment): a
// branch switch, a revert or another work tree parses nothing again. Which files there are,
// and where, says git at each search (internal/view): of a work tree with all that was
// changed in it and not committed, or of any commit.
//
// # From a file to a hit
//
//   - internal/view lists paths and blobs, without what is ignored, vendored or generated;
//   - parse finds what a file defines and calls, internal/chunk cuts it into pieces;
//   - internal/words makes terms of identifiers, internal/segment keeps them;
//   - ReadHistory keeps what commits tell of files (internal/history);
//   - Embed makes vectors (internal/vectors) with the model for code, in the background;
//   - Search ranks chunks by words (BM25F over path, name, signature, doc, body and the
//     messages of commits) and by meaning; how much each counts depends on the question (see
//     rank.go).
//
// # Files
//
// All lie in one folder of the repository's common directory, shared by its work trees: they
// can be made again from git, so that nothing is synced, a purge removes them, and damage
// costs time alone. Segments are never changed. Two processes that index at once write some
// of it twice, which the next merge drops.
//
// Size: 3600 lines, 26 names, 73 methods, for an Index is updated, embedded and asked over the
// same open segments.
package codeindex
