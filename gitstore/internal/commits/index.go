package commits

import (
	"context"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A CommitIndex is all commits of our lines and forks at one moment, without their messages.
// It is kept in a file: git walks over history in 10 µs a commit, which for 10,000 is
// longer than a search may take, and the file is read in a twentieth of that. It is
// derived from git and may be deleted at any time; it says what it was derived from.
type CommitIndex struct {
	tips   map[string]string // by ref
	depth  string            // of a shallow clone
	people []identity.Person
	List   []IndexedCommit
}

// An IndexedCommit is one commit.
type IndexedCommit struct {
	ID        string
	Recorded  int64 // when it was committed, in seconds
	person    int   // its author, of CommitIndex.people
	Tombstone bool
	Recovery  bool  // kept by itself, of what nobody saved
	ByRules   bool  // rules took it out of a conversation
	Join      bool  // a merge of what was fetched made it of its parents
	Parents   []int // of CommitIndex.List, those that are there
}

func (cs *Commits) indexFile() string { return cs.repo.Dir("cache", "annals") }

// lastIndex is the index that was used last, of whichever store: what its tips are tells
// whether it is the right one. A server, which opens the store anew at each hook, would read
// that of 10,000 commits at every prompt, 2 ms.
var lastIndex atomic.Pointer[CommitIndex]

// Index is that of now.
func (cs *Commits) Index(ctx context.Context, snap *Snapshot) (CommitIndex, error) {
	now := map[string]string{}
	for _, r := range snap.Refs {
		if _, ok := LineOf(r); ok {
			now[r.Name] = r.ID
		}
	}
	if len(now) == 0 {
		return CommitIndex{tips: now}, nil
	}
	depth := cs.repo.Shallow().Depth()
	if last := lastIndex.Load(); last != nil && last.isOf(now, depth) {
		return *last, nil
	}
	a := cs.readIndex()
	if !a.isOf(now, depth) {
		var err error
		if a, err = cs.continueIndex(ctx, a, now, depth); err != nil {
			return a, err
		}
		_ = fsx.WriteDerived(cs.indexFile(), a.encode(), 0o644) // derived: the next reader does it again
	}
	lastIndex.Store(&a)
	return a, nil
}

// isOf reports whether an index was made from these tips, of history of this depth.
func (a *CommitIndex) isOf(tips map[string]string, depth string) bool {
	return a.depth == depth && maps.Equal(a.tips, tips)
}

func (cs *Commits) readIndex() CommitIndex {
	b, err := fsx.ReadOwn(cs.indexFile())
	if err != nil {
		return CommitIndex{}
	}
	return parseIndex(string(b))
}

// continueIndex adds what is new since they were made, or makes them anew where
// history is not what it was.
func (cs *Commits) continueIndex(ctx context.Context, a CommitIndex, now map[string]string, depth string) (CommitIndex, error) {
	revs := slices.Sorted(maps.Values(now))
	if len(a.tips) > 0 && a.depth == depth && cs.reaches(ctx, revs, a.tips) {
		since := slices.Clone(revs)
		for _, id := range a.tips {
			since = append(since, "^"+id)
		}
		if list, err := cs.walk(ctx, since); err == nil {
			a.tips = now
			a.Add(list)
			return a, nil
		}
	}
	list, err := cs.walk(ctx, revs)
	a = CommitIndex{tips: now, depth: depth}
	a.Add(list)
	return a, err
}

// Add appends commits of which none is there yet.
func (a *CommitIndex) Add(list []*record.Record) {
	at, people := a.ordinals(len(list)), map[identity.Person]int{}
	for i, p := range a.people {
		people[p] = i
	}
	for i, r := range list {
		at[r.ID] = len(a.List) + i
	}
	for _, r := range list {
		p := identity.Person{Name: r.Author, Mail: r.Email}
		if _, known := people[p]; !known {
			people[p] = len(a.people)
			a.people = append(a.people, p)
		}
		n := IndexedCommit{ID: r.ID, Recorded: max(0, r.Recorded.Unix()), person: people[p], Tombstone: r.Kind == record.KindTombstone, Recovery: r.Trigger == sage.Recovery, ByRules: r.Agent == sage.Rules, Join: r.Trigger == record.SyncTrigger}
		for _, id := range r.Parents {
			if i, ok := at[id]; ok {
				n.Parents = append(n.Parents, i)
			}
		}
		a.List = append(a.List, n)
	}
}

// OrdinalsOf tell where some commits and the tips of refs are in the list.
func (a *CommitIndex) OrdinalsOf(ids, more []string, refs []refname.Ref) map[string]int {
	wanted := make(map[string]int, len(ids)+len(more)+len(refs))
	for _, id := range slices.Concat(ids, more) {
		wanted[id] = -1
	}
	for _, r := range refs {
		wanted[r.ID] = -1
	}
	for i := range a.List {
		if _, ok := wanted[a.List[i].ID]; ok {
			wanted[a.List[i].ID] = i
		}
	}
	maps.DeleteFunc(wanted, func(_ string, i int) bool { return i < 0 })
	return wanted
}

// ordinals tell where each commit is in the list; more says how many will be added.
func (a *CommitIndex) ordinals(more int) map[string]int {
	at := make(map[string]int, len(a.List)+more)
	for i := range a.List {
		at[a.List[i].ID] = i
	}
	return at
}

// Author is who a commit of the list names.
func (a *CommitIndex) Author(i int) identity.Person { return a.people[a.List[i].person] }
