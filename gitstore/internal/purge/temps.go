package purge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// The ages from which a purge takes the temporary file of an object for left behind:
// one is written in milliseconds. Whoever was stopped for longer in the midst of a save
// finds it gone, and fails.
const (
	tempWait = 2 * time.Second // of what holds what is purged
	tempIdle = time.Minute     // of all else that is ours
)

// tempObjects are the files under which objects are written before they get their
// names. One that stays belongs to a writer that was killed.
func (pu *Purger) tempObjects() (files []string) {
	dirs := []string{pu.repo.Where.Objects}
	list, _ := fsx.ReadDir(pu.repo.Where.Objects)
	for _, e := range list {
		if len(e.Name()) == 2 && record.IsHex(e.Name()) {
			dirs = append(dirs, filepath.Join(pu.repo.Where.Objects, e.Name()))
		}
	}
	for _, dir := range dirs {
		list, _ := fsx.ReadDir(dir)
		for _, e := range list {
			if e.Type().IsRegular() && loose.IsTemporary(e.Name()) {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files
}

// A tempFile is one that a purge removes.
type tempFile struct {
	path    string
	matches bool
	at      time.Time
}

// temps are those that hold what is purged, or part of it, and old ones that hold
// anything of ours: git lists no such file as an object, and it can be read all the same.
func (p *purge) temps() (found []tempFile) {
	for _, f := range p.s.tempObjects() {
		st, err := fsx.Lstat(f)
		if err != nil || st.Size() > git.MostSearched {
			continue
		}
		b, err := fsx.ReadOwn(f)
		if err != nil {
			continue
		}
		ours, matches := p.holdsTemp(loose.Inflated(b, git.MostSearched))
		if matches || ours && time.Since(st.ModTime()).Abs() > tempIdle {
			found = append(found, tempFile{f, matches, st.ModTime()})
		}
	}
	return found
}

func (p *purge) holdsTemp(object string) (ours, matches bool) {
	head, data, ok := strings.Cut(object, "\x00")
	typ, _, _ := strings.Cut(head, " ")
	m := p.clean.Rule.Match
	return ok && isOurs(typ, []byte(data), p.s.repo.IDSize()), ok && m != nil && len(m(data)) > 0
}

// removeTemps removes them. What is young may be written just now: it gets time.
func (p *purge) removeTemps(ctx context.Context) error {
	found := p.temps()
	if slices.ContainsFunc(found, func(t tempFile) bool { return time.Since(t.at).Abs() < tempWait }) {
		select {
		case <-ctx.Done():
		case <-time.After(tempWait):
		}
	}
	for _, t := range found {
		st, err := fsx.Lstat(t.path)
		if err == nil && st.ModTime().Equal(t.at) {
			err = fsx.Remove(t.path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove files of killed writers: %w", err)
		}
	}
	return ctx.Err()
}
