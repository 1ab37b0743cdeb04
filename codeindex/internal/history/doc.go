// Package history keeps what the commits of a repository tell of its files: the words of the
// messages with which each was changed, and which files change together.
//
// Commits are kept as git lists them, each with its parents, the files that it changed and
// the terms of its message. What they tell is added up for one commit at a time (At), from
// its ancestors alone: another branch costs nothing but the commits that only it has, and a
// search of an old commit does not learn what came later.
//
// Merges tell nothing, nor do commits that change more than 30 files; what they renamed is
// followed.
//
// The sections of a file, in the form of package box:
//
//	commits  id, time, and how many rows of the next sections belong to it, newest first
//	parents  ids
//	files    number of a path
//	renames  numbers of the old and the new path
//	terms    hashes, ascending
//	paths    one after each NUL byte
//	tips     ids of the commits whose ancestors were read, one a line
//
// Measured on the last 5,000 commits of expressjs/express: 500 KB, read in half a second.
package history
