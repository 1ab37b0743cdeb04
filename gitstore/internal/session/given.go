package session

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

const (
	mostGiven = 1000               // of a session that goes on for ever the rest may come twice
	keepGiven = 7 * 24 * time.Hour // for a session that is resumed
)

func (s *files) givenFile() string {
	return s.repo.Dir("cache", "given", refname.Hash16(s.repo.Options.Session))
}

// Given tells which items the session was given, with the version: keys and blobs.
// It is nil without a session.
func (s *files) Given() map[string]string {
	if s.repo.Options.Session == "" {
		return nil
	}
	given := map[string]string{}
	b, _ := fsx.ReadOwn(s.givenFile()) // unreadable: they are given again
	for l := bufio.NewScanner(bytes.NewReader(b)); l.Scan(); {
		if blob, key, ok := strings.Cut(l.Text(), " "); ok {
			given[key] = blob
		}
	}
	return given
}

// NoteGiven adds to [files.Given].
func (s *files) NoteGiven(more map[string]string) error {
	if s.repo.Options.Session == "" || len(more) == 0 {
		return nil
	}
	s.noteRecalled(more)
	given := s.Given()
	if len(given) == 0 {
		s.dropOld("cache/given", "")
	}
	maps.Copy(given, more)
	var b strings.Builder
	for i, key := range slices.Sorted(maps.Keys(given)) {
		if i < mostGiven {
			fmt.Fprintf(&b, "%s %s\n", given[key], key)
		}
	}
	if err := fsx.WriteDerived(s.givenFile(), []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("cannot record what this session was given, so it will be repeated: %w", err)
	}
	return nil
}

// ForgetGiven begins anew: what was given is not in front of the session any more,
// because the conversation was summarised or cleared.
func (s *files) ForgetGiven() {
	if s.repo.Options.Session != "" {
		_ = fsx.Remove(s.givenFile()) // else it is given less
	}
}

// dropOld removes what a folder of ours knows of sessions that ended long ago: the files
// that end with ext.
func (s *files) dropOld(folder, ext string) {
	list, _ := fsx.ReadDir(s.repo.Dir(folder))
	for _, e := range list {
		if !strings.HasSuffix(e.Name(), ext) {
			continue
		}
		if st, err := e.Info(); err == nil && s.repo.Options.Now().Sub(st.ModTime()) > keepGiven {
			_ = fsx.Remove(s.repo.Dir(folder, e.Name()))
		}
	}
}
