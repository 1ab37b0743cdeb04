// Package index is the sidecar: it finds documents by words and by meaning, and
// says with which scores. It holds nothing that git does not have; whoever uses it
// fills it from git, and anew whenever it says that it is empty.
//
// The words here:
//
//   - A document is a knowledge item or a checkpoint; its key names it for good.
//   - A unit is a piece of a document that words are looked for in; a document's
//     keyword score is its best unit's.
//   - A chunk is a piece of a document that has a vector; its cosine is its best
//     chunk's. Chunks are named by their text, so that what changes without its
//     text (a status, a link) needs no new vector, nor does a text that returns.
//   - A segment is an immutable file with documents, or one with vectors.
//   - A list is the small file that names the segments which count, oldest first.
//
// # Files
//
// All lie in one folder. Their names begin with the version of their format, those
// of vectors with the model as well, so that an old binary beside a new one, or two
// models, do not rebuild each other. A file carries the random id of its repository:
// another's is not believed. Writers write a new segment beside the others and put a
// new list in the place of the old under a lock (flock); readers take none. A
// document in a newer segment hides the one of its key in older ones, and so does
// its removal. Small segments are merged with the next save, large ones by
// [Index.Compact].
//
// Nothing is synced to disk, since all can be made again: each piece that a search
// reads carries a checksum, and what does not fit is an [ErrDamaged], after which
// the index is empty, so that its user fills it again. So is whatever else stands in
// the place of a file (a folder, a pipe, a link, a file that may not be read): nobody
// waits for it, nothing is read through it, and the next update takes it away. That
// this happened is kept in healed.json, for [Index.Healed].
//
// Where nothing can be written, an index goes on in memory over what is on disk until
// it is closed, and says so with [Index.Unwritten].
//
// What the files hold is in packages of its own: documents in internal/segment, vectors in
// internal/vectors, and which of them count in internal/list. Which files are open, and
// what is damaged, is in segments; [Index] reads, searches and updates through it.
package index
