package gitstore

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A chronicle is all commits of our lines and forks at one moment, for questions
// that would take a walk by git for each line.
type chronicle struct {
	list   []*Record // as git lists them, newest first
	annals annals    // the same, in the same order
}

func (s *Store) chronicle(ctx context.Context) (*chronicle, error) {
	v := s.look(ctx)
	revs, err := tips(v)
	if err != nil || len(revs) == 0 {
		return &chronicle{}, err
	}
	h := &chronicle{}
	h.list, err = s.walk(ctx, revs)
	if err != nil {
		return h, err
	}
	snap, err := v.get()
	if err != nil {
		return h, err
	}
	for _, r := range h.list {
		snap.dress(r)
	}
	h.annals.add(h.list)
	return h, nil
}

// walk lists all commits behind some, newest first, without their messages.
func (s *Store) walk(ctx context.Context, revs []string) (list []*Record, err error) {
	words := map[string]string{}
	err = s.git.Records(ctx, func(b []byte) bool {
		var r Record
		if r.parse(b) {
			list = append(list, lean(&r, words))
		}
		return true
	}, append(append(logArgs(Query{}), "--end-of-options"), revs...)...)
	return list, logError(err)
}

// lean is what a list of names and dates needs of r, without the message that r
// holds on to: there may be very many.
func lean(r *Record, words map[string]string) *Record {
	once := func(s string) string {
		if w, ok := words[s]; ok {
			return w
		}
		s = strings.Clone(s)
		words[s] = s
		return s
	}
	out := &Record{
		ID: strings.Clone(r.ID), Author: once(r.Author), Email: once(r.Email), Time: r.Time, Recorded: r.Recorded,
		Kind: Kind(once(string(r.Kind))), Trigger: sage.Trigger(once(string(r.Trigger))), Description: strings.Clone(r.Description), Agent: once(r.Agent), Names: r.Names, Removed: r.Removed,
	}
	for _, p := range r.Parents {
		out.Parents = append(out.Parents, strings.Clone(p))
	}
	return out
}

// counts reports whether lists show a record, or would if it were not hidden.
func counts(r *Record) bool { return r.Kind != KindTombstone && !r.Removed }
