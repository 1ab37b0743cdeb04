// Package gitstore keeps checkpoints in a git repository, on refs of its own
// under refs/sage, so that branching, merging and lineage of reasoning are
// git's.
//
// FORMAT.md beside this file says what lies where. A [Store] is the one way in:
// it saves, finds, lists, merges and removes, and is safe for use by several
// goroutines and beside any number of other processes.
//
// The rules of the write path, each with its test in testdata/script/store or
// store_test.go:
//
//   - git itself moves every ref, by compare-and-swap. We write objects only.
//   - A save is acknowledged after its objects, their folders and the ref are on
//     disk and were read back.
//   - The user's branches, index, work tree, stash, hooks and config are never
//     touched.
package gitstore
