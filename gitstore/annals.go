package gitstore

import (
	"context"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Annals are all commits of our lines and forks at one moment, without their messages.
// They are kept in a file: git walks over history in 10 µs a commit, which for 10,000 is
// longer than a search may take, and the file is read in a twentieth of that. It is
// derived from git and may be deleted at any time; it says what it was derived from.
type annals struct {
	tips   map[string]string // by ref
	people []person
	list   []annal
}

// An annal is one commit.
type annal struct {
	id        string
	recorded  int64 // when it was committed, in seconds
	person    int   // its author, of annals.people
	tombstone bool
	recovery  bool  // kept by itself, of what nobody saved
	byRules   bool  // rules took it out of a conversation
	parents   []int // of annals.list, those that are there
}

func (s *Store) annalsFile() string { return s.dir("cache", "annals") }

// annals are those of now.
func (s *Store) annals(ctx context.Context, snap *snapshot) (annals, error) {
	now := map[string]string{}
	for _, r := range snap.refs {
		if _, ok := lineOf(r); ok {
			now[r.name] = r.id
		}
	}
	a := s.readAnnals()
	if maps.Equal(a.tips, now) {
		return a, nil
	}
	a, err := s.continueAnnals(ctx, a, now)
	if err == nil {
		_ = fsx.WriteDerived(s.annalsFile(), a.encode(), 0o644) // derived: the next reader does it again
	}
	return a, err
}

func (s *Store) readAnnals() annals {
	b, err := fsx.ReadOwn(s.annalsFile())
	if err != nil {
		return annals{}
	}
	return parseAnnals(string(b))
}

// continueAnnals adds what is new since they were made, or makes them anew where
// history is not what it was.
func (s *Store) continueAnnals(ctx context.Context, a annals, now map[string]string) (annals, error) {
	revs := slices.Sorted(maps.Values(now))
	if len(revs) == 0 {
		return annals{tips: now}, nil
	}
	if len(a.tips) > 0 && s.reaches(ctx, revs, a.tips) {
		since := slices.Clone(revs)
		for _, id := range a.tips {
			since = append(since, "^"+id)
		}
		if list, err := s.walk(ctx, since); err == nil {
			a.tips = now
			a.add(list)
			return a, nil
		}
	}
	list, err := s.walk(ctx, revs)
	a = annals{tips: now}
	a.add(list)
	return a, err
}

// add appends commits of which none is there yet.
func (a *annals) add(list []*Record) {
	at, people := a.ordinals(len(list)), map[person]int{}
	for i, p := range a.people {
		people[p] = i
	}
	for i, r := range list {
		at[r.ID] = len(a.list) + i
	}
	for _, r := range list {
		p := person{r.Author, r.Email}
		if _, known := people[p]; !known {
			people[p] = len(a.people)
			a.people = append(a.people, p)
		}
		n := annal{id: r.ID, recorded: max(0, r.Recorded.Unix()), person: people[p], tombstone: r.Kind == KindTombstone, recovery: r.Trigger == sage.Recovery, byRules: r.Agent == sage.Rules}
		for _, id := range r.Parents {
			if i, ok := at[id]; ok {
				n.parents = append(n.parents, i)
			}
		}
		a.list = append(a.list, n)
	}
}

// ordinals tell where each commit is in the list; more says how many will be added.
func (a *annals) ordinals(more int) map[string]int {
	at := make(map[string]int, len(a.list)+more)
	for i := range a.list {
		at[a.list[i].id] = i
	}
	return at
}
