// Package gitstore keeps checkpoints in a git repository, on refs of its own
// under refs/sage, so that branching, merging and lineage of reasoning are
// git's.
//
// FORMAT.md beside this file says what lies where. A [Store] is the one way in, and safe for
// use by several goroutines and beside any number of other processes. It opens the repository
// and hands out its rooms, each by a field:
//
//	s, err := gitstore.Open(ctx, gitstore.Options{Dir: "."})
//	saved, err := s.Checkpoints.Save(ctx, draft)
//	line, err := s.Lines.Switch(ctx, "side", true, "")
//	items, err := s.Knowledge.Items(ctx)
//
// What makes the rooms quick is in repo (plain.go, plainrefs.go, configcache.go): what
// is plain to see is looked up, and anything else is asked of git.
//
// The rules of the write path, which the tests here hold it to:
//
//   - git itself moves every ref, by compare-and-swap. We write objects only.
//   - A save is acknowledged after its objects, their folders and the ref are on
//     disk and were read back.
//   - The user's branches, index, work tree, stash, hooks and config are never
//     touched.
//
// What a save costs, for who changes its path: about 8 ms on two processors of a
// machine that is quiet, where `git rev-parse` and `git update-ref` need 3.2. It
// starts one process, that git, beside which the objects are written, and makes up to ten
// syncs: of three objects, of their folders and the one above, of the ref by git, of the ref
// and its folder. Each step's are made side by side, so that it waits for the disk four
// times. Of 8 ms
//
//   - 2.6 go by until all packages are made ready and the store is open,
//   - 1 goes into templates, secrets, where the code stands and where the save goes,
//   - 2.2 are the objects, most of it the disk,
//   - 1.4 is git, most of it its own sync and its end,
//   - 0.9 are the sync of the ref, reading back, the journal and the caches, and the
//     end of the process takes as long.
//
// One of 1 MB takes 38 ms.
//
// Of fifty that save at once each waits for those before it, on two processors mostly for
// their work: it took 160 times what that git alone needs, and 105 since one who waits is
// woken by the system, looks after no git that waits as well, and on a fork asks git neither
// where the ref is nor what was removed (medians of 200 saves each, in turn; 58 ms of
// processor a save before, and 36). To write the objects while others save brought nothing.
//
// A save of an item makes fourteen syncs, for which it waits four times, too, and ten times
// when each folder was synced behind the other; on a machine with much else to do that took
// 45 ms instead of 32 at 100 items, and 95 instead of 66 at 10,000.
//
// A save of an item writes five objects where one of a template writes four. On a
// machine that had much else to do, turn by turn, the medians of 150 were 21.9 ms at
// 100 items and 21.8 at 10,000 (the best tenth 11.5 and 12.9), of a template 19.1 and
// 20.1. Reading 10,000 items takes 230 ms, most of it YAML; what changed since a tip 2.
//
// Size: 160 names, for its callers know what the rooms make by names of this package.
package gitstore
