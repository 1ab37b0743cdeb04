package fixes

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// An Object fix brings an object back from the backup, a clone or its own file, where only
// bytes behind its end damage that. A damaged file that has its name is kept.
type Object struct {
	ID    string
	Owner string // the commit that needs it
	From  string // where it is, in words
}

func (f *Object) About() string { return record.Short(f.Owner) }
func (f *Object) Will() string  { return "restores it from " + f.From }
func (f *Object) Did() string {
	return "restored object " + record.Short(f.ID) + " from " + f.From
}

func (f *Object) Plan(r *Run) error {
	file := r.Repo.ObjectFile(f.ID)
	b, err := fsx.ReadFile(file)
	if fsx.IsFolder(file) { // in the place of an object, with nothing of one to keep
		r.Add(Step{Kind: "object", Subject: f.ID})
		return nil
	}
	return r.addKept(Step{Kind: "object", Subject: f.ID}, b, err)
}

func (f *Object) Do(ctx context.Context, r *Run) error { return r.bringOne(ctx, f.ID) }

func (r *Run) bringOne(ctx context.Context, id string) error {
	o, err := r.source.Elsewhere(id)
	if err != nil {
		return fmt.Errorf("object %s: %w", record.Short(id), err)
	}
	if err := r.dropDamaged(id); err != nil {
		return err
	}
	fresh := loose.Object{ID: id, Type: o.Type, Data: o.Data}
	if err := r.Backup.Put(ctx, fresh); err != nil {
		return err
	}
	r.Backup.BackupObjects(fresh) // what was damaged may have had its second name there
	return nil
}

// dropDamaged removes a damaged object, which git would take for written, after
// keeping what is left of it.
func (r *Run) dropDamaged(id string) error {
	file := r.Repo.ObjectFile(id)
	if fsx.IsFolder(file) { // which goes if it is empty, and else is somebody's
		return fsx.Remove(file)
	}
	b, err := fsx.ReadFile(file)
	if os.IsNotExist(err) {
		return nil
	}
	if !slices.ContainsFunc(r.record.Steps, func(t Step) bool { return t.Kind == "object" && t.Subject == id }) {
		if err != nil {
			return err
		}
		name, err := r.keep(b)
		if err == nil {
			r.Add(Step{Kind: "object", Subject: id, Kept: name})
			err = r.Write()
		}
		if err != nil {
			return err
		}
	}
	return fsx.Remove(file)
}

// bring brings a commit and all that it reaches which is not here.
func (r *Run) bring(ctx context.Context, id string) error {
	seen := map[string]bool{}
	for todo := []string{id}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		if err := ctx.Err(); err != nil {
			return err
		}
		below, err := r.ensure(ctx, at)
		if err != nil {
			return err
		}
		todo = append(todo, below...)
	}
	return nil
}

// ensure makes sure that an object is here, if any place has it, and returns the
// ids that it names. What is nowhere stays a finding: the rest is worth having.
func (r *Run) ensure(ctx context.Context, id string) (below []string, err error) {
	o, err := r.source.Read(id)
	if err != nil {
		if o, err = r.source.Elsewhere(id); err != nil {
			return nil, nil
		}
		if err := r.bringOne(ctx, id); err != nil {
			return nil, err
		}
	}
	switch o.Type {
	case "commit":
		rec := record.Record{ID: id}
		rec.ParseCommit(o.Data)
		return append(rec.Parents, gittree.Of(o.Data)), nil
	case "tree":
		for _, e := range gittree.Parse(o.Data, r.Repo.IDSize()) {
			if e.Mode == gittree.ModeFile || e.Mode == gittree.ModeDir {
				below = append(below, e.ID)
			}
		}
	}
	return below, nil
}
