package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// markerKey says in the name of a file whose a marker is: the session's, or else the
// work tree's.
func (s *Memory) markerKey() string {
	if s.repo.Options.Session != "" {
		return refname.Hash16("session " + s.repo.Options.Session)
	}
	return s.worktreeKey()
}

func (s *Memory) worktreeKey() string { return refname.Hash16("worktree " + s.repo.Where.GitDir) }

// A markerFile is a marker by its name.
type markerFile struct {
	path string
	n    uint64
	key  string
}

// markerFiles are the markers of the repository, the newest first.
func (s *Memory) markerFiles() (out []markerFile, err error) {
	list, err := fsx.ReadDir(s.repo.Dir("continuity"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for markers: %w", err)
	}
	for _, e := range list {
		if f, ok := parseMarkerName(e.Name()); ok && e.Type().IsRegular() {
			f.path = s.repo.Dir("continuity", e.Name())
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b markerFile) int { return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(b.path, a.path)) })
	return out, nil
}

func parseMarkerName(name string) (f markerFile, ok bool) {
	word, rest, _ := strings.Cut(strings.TrimSuffix(name, markerExt), "-")
	key, _, found := strings.Cut(rest, "-")
	n, err := strconv.ParseUint(word, 10, 64)
	if err != nil || !found || !record.IsHex(key) || n > math.MaxInt64 || filepath.Ext(name) != markerExt {
		return f, false
	}
	return markerFile{n: n, key: key}, true
}

// myMarkers are those that the store's session may have.
func (s *Memory) myMarkers() ([]markerFile, error) {
	all, err := s.markerFiles()
	return slices.DeleteFunc(all, func(f markerFile) bool { return f.key != s.markerKey() && f.key != s.worktreeKey() }), err
}

// isStray reports whether a marker is for whoever comes first in a work tree that is gone.
// A session may go on in another one.
func (s *Memory) isStray(f markerFile) bool {
	b, err := fsx.ReadOwn(f.path)
	m, ok := s.parseMarker(b)
	if err != nil || !ok || m.Session != "" || !filepath.IsAbs(m.Worktree) {
		return false
	}
	_, err = fsx.Lstat(m.Worktree)
	return errors.Is(err, fs.ErrNotExist)
}

// drop removes a marker that nobody is about to bring back just now.
func (f markerFile) drop() (done bool) {
	c, _, err := fsx.Take(f.path)
	return err == nil && c.Finish() == nil
}
