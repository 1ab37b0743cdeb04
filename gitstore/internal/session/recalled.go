package session

import (
	"errors"
	"io/fs"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// The folder sage/cache/recalled has an empty file for each document of search that a
// session was given, whose time is when that was last, to the day; since is when the first
// one was.

const (
	recalledSince = "since"
	recalledStep  = 24 * time.Hour // a file is written once a day
)

func (s *files) recalledFile(key string) string {
	return s.repo.Dir("cache", "recalled", refname.Hash16(key))
}

// noteRecalled notes that items are given to a session. What fails is tried again with the
// next prompt.
func (s *files) noteRecalled(given map[string]string) {
	now := s.repo.Options.Now()
	if _, err := fsx.Lstat(s.repo.Dir("cache", "recalled", recalledSince)); errors.Is(err, fs.ErrNotExist) {
		_ = markDay(s.repo.Dir("cache", "recalled", recalledSince), now)
	}
	for key, blob := range given {
		if blob == "-" { // no item
			continue
		}
		file := s.recalledFile(key)
		if st, err := fsx.Lstat(file); err != nil || now.Sub(st.ModTime()) > recalledStep {
			_ = markDay(file, now)
		}
	}
}

// markDay makes an empty file with a time.
func markDay(file string, at time.Time) error {
	if err := fsx.WriteDerived(file, nil, 0o644); err != nil {
		return err
	}
	return fsx.Touch(file, at)
}

// LastRecalled is when a session was last given an item, by the key that search has for it;
// zero if that is not known.
func (s *files) LastRecalled(key string) time.Time { return timeOf(s.recalledFile(key)) }

// RecallsKnownSince is from when on [files.LastRecalled] knows; zero if it knows nothing.
func (s *files) RecallsKnownSince() time.Time {
	return timeOf(s.repo.Dir("cache", "recalled", recalledSince))
}

func timeOf(file string) time.Time {
	st, err := fsx.Lstat(file)
	if err != nil {
		return time.Time{}
	}
	return st.ModTime()
}
