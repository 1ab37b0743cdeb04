package backup

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A Spare is where objects may be that the repository has lost: our backup, and
// a clone that somebody names. Objects are known by their content, so that
// nothing false can come from there.
type Spare []spareSource

type spareSource struct {
	name  string // in words
	loose loose.Store
	batch *git.Batch
}

// OpenSpare opens the backup, if there is one, and the clone at from, if one is
// named.
func (bk *Backup) OpenSpare(from string) (Spare, error) {
	var out Spare
	if dir := bk.BackupObjectsDir(); fsx.IsFolder(dir) {
		out = append(out, bk.source("the backup", dir))
	}
	if from == "" {
		return out, nil
	}
	dir, err := bk.objectsOf(from)
	if err != nil {
		return nil, err
	}
	return append(out, bk.source("'"+from+"'", dir)), nil
}

func (bk *Backup) source(name, objects string) spareSource {
	return spareSource{name, loose.Store{Dir: objects, Format: bk.repo.Where.Format}, bk.Lend(filepath.Dir(objects), false).Batch()}
}

// objectsOf is the folder of objects of another repository on this machine.
func (bk *Backup) objectsOf(from string) (string, error) {
	if !filepath.IsAbs(from) {
		from = filepath.Join(bk.repo.Options.Dir, from)
	}
	if !fsx.IsFolder(from) {
		return "", fmt.Errorf("--from: '%s' is not a folder; give a clone on this machine", from)
	}
	out, err := bk.repo.Git.In(from).Bare().Run(context.Background(), "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return "", fmt.Errorf("--from: %w", err)
	}
	return git.Text(out), nil
}

// Get reads an object from the first place that has it whole.
func (p Spare) Get(id string) (git.Object, error) {
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

// Lacks counts the refs whose tips are nowhere. They are asked for together, and
// what does not come so by itself.
func (p Spare) Lacks(refs []refname.Ref) (n int) {
	good := map[string]bool{}
	var ids []string
	for _, r := range refs {
		ids = append(ids, r.ID)
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
		if _, err := p.Get(id); err != nil {
			n++
		}
	}
	return n
}

// Of names the place that has an object, "" if there is none.
func (p Spare) Of(id string) string {
	for i := range p {
		if _, err := p[i : i+1].Get(id); err == nil {
			return p[i].name
		}
	}
	return ""
}

func (p Spare) Close() {
	for _, src := range p {
		_ = src.batch.Close()
	}
}
