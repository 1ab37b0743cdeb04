package commits

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A listedCommits is all commits of our lines and forks at one moment, for questions
// that would take a walk by git for each line.
type listedCommits struct {
	List  []*record.Record // as git lists them, newest first
	index CommitIndex      // the same, in the same order
}

func (cs *Commits) ListedCommits(ctx context.Context) (*listedCommits, error) {
	v := cs.Look(ctx)
	revs, err := tips(v)
	if err != nil || len(revs) == 0 {
		return &listedCommits{}, err
	}
	h := &listedCommits{}
	h.List, err = cs.walk(ctx, revs)
	if err != nil {
		return h, err
	}
	snap, err := v.Get()
	if err != nil {
		return h, err
	}
	for _, r := range h.List {
		snap.dress(r)
	}
	h.index.Add(h.List)
	return h, nil
}

// walk lists all commits behind some, newest first, without their messages.
func (cs *Commits) walk(ctx context.Context, revs []string) (list []*record.Record, err error) {
	words := map[string]string{}
	err = cs.repo.Git.Records(ctx, func(b []byte) bool {
		var r record.Record
		if r.Parse(b) {
			list = append(list, lean(&r, words))
		}
		return true
	}, append(append(LogArgs(Query{}), "--end-of-options"), revs...)...)
	return list, LogError(err)
}

// lean is what a list of names and dates needs of r, without the message that r
// holds on to: there may be very many.
func lean(r *record.Record, words map[string]string) *record.Record {
	once := func(s string) string {
		if w, ok := words[s]; ok {
			return w
		}
		s = strings.Clone(s)
		words[s] = s
		return s
	}
	out := &record.Record{
		ID: strings.Clone(r.ID), Author: once(r.Author), Email: once(r.Email), Time: r.Time, Recorded: r.Recorded,
		Kind: record.Kind(once(string(r.Kind))), Trigger: sage.Trigger(once(string(r.Trigger))), Description: strings.Clone(r.Description), Agent: once(r.Agent), Names: r.Names, Removed: r.Removed, Refused: r.Refused,
	}
	for _, p := range r.Parents {
		out.Parents = append(out.Parents, strings.Clone(p))
	}
	return out
}
