package gitstore

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// A spare is where objects may be that the repository has lost: our backup, and
// a clone that somebody names. Objects are known by their content, so that
// nothing false can come from there.
type spare []spareSource

type spareSource struct {
	name  string // in words
	loose loose.Store
	batch *git.Batch
}

// openSpare opens the backup, if there is one, and the clone at from, if one is
// named.
func (s *Store) openSpare(from string) (spare, error) {
	var out spare
	if dir := s.backupObjectsDir(); isFolder(dir) {
		out = append(out, s.source("the backup", dir))
	}
	if from == "" {
		return out, nil
	}
	dir, err := s.objectsOf(from)
	if err != nil {
		return nil, err
	}
	return append(out, s.source("'"+from+"'", dir)), nil
}

func (s *Store) source(name, objects string) spareSource {
	return spareSource{name, loose.Store{Dir: objects, Format: s.where.format}, s.lend(filepath.Dir(objects), false).Batch()}
}

// objectsOf is the folder of objects of another repository on this machine.
func (s *Store) objectsOf(from string) (string, error) {
	if !filepath.IsAbs(from) {
		from = filepath.Join(s.o.Dir, from)
	}
	if !isFolder(from) {
		return "", fmt.Errorf("--from: '%s' is no folder; name a clone on this machine", from)
	}
	out, err := s.git.In(from).Bare().Run(context.Background(), "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return "", fmt.Errorf("--from: %w", err)
	}
	return text(out), nil
}

// get reads an object from the first place that has it whole.
func (p spare) get(id string) (git.Object, error) {
	for _, src := range p {
		if o, ok := src.loose.Read(id); ok {
			return git.Object(o), nil
		}
		if o, err := src.batch.Get(id); err == nil && src.loose.New(o.Type, o.Data).ID == id {
			return o, nil
		}
	}
	return git.Object{}, git.ErrMissing
}

// lacks counts the refs whose tips are nowhere. They are asked for together, and
// what does not come so by itself.
func (p spare) lacks(refs []ref) (n int) {
	good := map[string]bool{}
	var ids []string
	for _, r := range refs {
		ids = append(ids, r.id)
	}
	for _, src := range p {
		_ = src.batch.Each(ids, func(id string, o git.Object, err error) {
			good[id] = good[id] || err == nil && src.loose.New(o.Type, o.Data).ID == id
		})
	}
	for _, id := range ids {
		if good[id] {
			continue
		}
		if _, err := p.get(id); err != nil {
			n++
		}
	}
	return n
}

// of names the place that has an object.
func (p spare) of(id string) string {
	for i := range p {
		if _, err := p[i : i+1].get(id); err == nil {
			return p[i].name
		}
	}
	return "elsewhere"
}

func (p spare) close() {
	for _, src := range p {
		_ = src.batch.Close()
	}
}

func isFolder(dir string) bool {
	st, err := fsx.Stat(dir)
	return err == nil && st.IsDir()
}
