package session

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/part"
)

// Part is what is remembered of sessions, as purge sees it.
func Part(s *Memory) part.Part { return sessions{s: s} }

type sessions struct {
	part.Nothing
	s *Memory
}

// Name is how messages call it.
func (sessions) Name() string { return "sessions" }

// vectorsOf ends the names of files with vectors of what was said in a session. Nobody can
// see in a vector what was purged; they are made anew when they are missed.
const vectorsOf = ".topics.json"

// Clean removes vectors, and has sessions stand where a purge left what they saw. Texts in
// files are purge's own to clean, as in all of ours.
func (p sessions) Clean(_ context.Context, r part.Rule) (out part.Cleaned, err error) {
	if r.Step != part.Remove {
		return out, nil
	}
	dir := p.s.repo.Dir("sessions")
	list, err := fsx.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	for _, e := range list {
		if strings.HasSuffix(e.Name(), vectorsOf) {
			if err := fsx.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return out, err
			}
		}
	}
	for _, f := range p.s.StandFiles() {
		t, ok := ReadStand(f)
		now := p.s.rewritten.StandIn(t.Seen)
		if !ok || now == t.Seen {
			continue
		}
		t.Seen = now
		if err := KeepStandAt(f, t); err != nil {
			return out, err
		}
	}
	return out, nil
}
