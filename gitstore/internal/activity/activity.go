// Package activity tells who concluded and changed what lately, and where, without reading
// what they said.
package activity

import (
	"context"
	"regexp"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// Lately is how long ago activity began of which nobody says since when.
const Lately = 7 * 24 * time.Hour

// An Observer tells who did what lately.
type Observer struct {
	repo      *repo.Repo
	journal   *journal.Journal
	ownership *ownership.Ownership
	commits   *commits.Commits
	history   *history.History
}

// New returns an Observer over the rooms that it uses.
func New(
	repo *repo.Repo,
	journal *journal.Journal,
	ownership *ownership.Ownership,
	commits *commits.Commits,
	history *history.History,
) *Observer {
	return &Observer{
		repo:      repo,
		journal:   journal,
		ownership: ownership,
		commits:   commits,
		history:   history,
	}
}

// An Act is a checkpoint, or a change of the knowledge.
type Act struct {
	Sighting

	Change string // of the knowledge: what its commit says was done; "" is a checkpoint
}

// A Person is who did something, as git names them, which anybody can claim to be.
type Person struct {
	identity.Person

	Mine bool  // it was this user
	Acts []Act // newest first
}

// Since lists who did something since a date as git reads it, "" is [Lately], and is of the
// authors that match a pattern, "" is any; whoever did something last comes first.
func (o *Observer) Since(ctx context.Context, since, author string) ([]Person, error) {
	ctx = o.commits.Viewing(ctx)
	by, err := regexp.Compile(author)
	if err != nil {
		return nil, &record.FilterError{Field: "author", Err: err}
	}
	from := o.repo.Options.Now().Add(-Lately)
	if since != "" {
		if from, _, err = o.commits.Between(ctx, since, ""); err != nil {
			return nil, err
		}
	}
	moves, err := o.journal.Lines()
	if err != nil {
		return nil, err
	}
	changes := repo.Early(func() changes { return o.changes(ctx, from, moves) })
	saved, err := o.lately(ctx, from, moves)
	changed := changes()
	if err == nil {
		err = changed.err
	}
	var acts []Act
	for _, s := range saved {
		acts = append(acts, Act{Sighting: s})
	}
	acts = slices.DeleteFunc(append(acts, changed.list...), func(a Act) bool { return !by.MatchString(a.Author.String()) })
	slices.SortStableFunc(acts, func(a, b Act) int { return b.At.Compare(a.At) })
	return people(acts), err
}

// people are the authors of a list. What somebody elsewhere did in the name of this user is
// not theirs.
func people(acts []Act) (out []Person) {
	type key struct {
		identity.Person
		mine bool
	}
	at := map[key]int{}
	for _, a := range acts {
		k := key{a.Author, a.Mine}
		if a.Mine { // whatever they call themselves
			k.Person = identity.Person{}
		}
		i, known := at[k]
		if !known {
			i, at[k] = len(out), len(out)
			out = append(out, Person{Person: a.Author, Mine: a.Mine})
		}
		out[i].Acts = append(out[i].Acts, a)
	}
	return out
}

type changes struct {
	list []Act
	err  error
}

// mostOlder is how many changes in a row may be older than what is asked for before the walk
// over them ends: clocks differ.
const mostOlder = 64

// changes lists the changes of the knowledge, but for joins, which nobody made.
func (o *Observer) changes(ctx context.Context, from time.Time, moves []journal.JournalLine) (out changes) {
	state, err := o.history.StateTip(ctx)
	if err != nil || state == "" {
		return changes{nil, err}
	}
	shared, private := refname.Halves(state)
	tips := slices.DeleteFunc([]string{shared, private}, func(tip string) bool { return tip == "" })
	var list []*record.Record
	older := 0
	err = o.repo.Git.Records(ctx, func(b []byte) bool {
		var r record.Record
		if !r.Parse(b) {
			return true
		}
		if older++; r.Recorded.Unix() >= from.Unix() {
			older, list = 0, append(list, &r)
		}
		return older < mostOlder
	}, append(append(commits.LogArgs(commits.Query{}), "--end-of-options"), tips...)...)
	var a commits.CommitIndex
	a.Add(list)
	seen, mine := seenSince(&a, moves, o.repo.Options.Now()), o.mine(ctx)
	for i, r := range list {
		at := earlier(r.Recorded, seen[i])
		if by := (identity.Person{Name: r.Author, Mail: r.Email}); at.Unix() >= from.Unix() && (len(r.Parents) < 2 || by != identity.Nobody) {
			out.list = append(out.list, Act{Sighting{ID: r.ID, Author: by, At: at, Mine: mine(r.ID, by)}, r.Description})
		}
	}
	out.err = commits.LogError(err)
	return out
}
