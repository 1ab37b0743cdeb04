package verify

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A bringFix brings an object back from the backup or a clone. A damaged file
// that has its name is kept.
type bringFix struct{ id, owner, from string }

func (f *bringFix) about() string { return record.Short(f.owner) }
func (f *bringFix) will() string  { return "restores it from " + f.from }
func (f *bringFix) did() string {
	return "restored object " + record.Short(f.id) + " from " + f.from
}

func (f *bringFix) plan(k *checker, r *repair) error {
	b, err := fsx.ReadFile(k.s.repo.ObjectFile(f.id))
	if os.IsNotExist(err) {
		r.add(repairStep{Kind: "object", Subject: f.id})
		return nil
	}
	if err != nil {
		return err
	}
	name, err := r.keep(b)
	r.add(repairStep{Kind: "object", Subject: f.id, Kept: name})
	return err
}

func (f *bringFix) do(ctx context.Context, r *repair) error { return r.bringOne(ctx, f.id) }

func (r *repair) bringOne(ctx context.Context, id string) error {
	o, err := r.k.spare.Get(id)
	if err != nil {
		return fmt.Errorf("object %s: %w", record.Short(id), err)
	}
	if err := r.dropDamaged(id); err != nil {
		return err
	}
	return r.s.backup.Put(ctx, loose.Object{ID: id, Type: o.Type, Data: o.Data})
}

// dropDamaged removes a damaged object, which git would take for written, after
// keeping what is left of it.
func (r *repair) dropDamaged(id string) error {
	file := r.s.repo.ObjectFile(id)
	b, err := fsx.ReadFile(file)
	if os.IsNotExist(err) {
		return nil
	}
	if !slices.ContainsFunc(r.writerRecord.Steps, func(t repairStep) bool { return t.Kind == "object" && t.Subject == id }) {
		if err != nil {
			return err
		}
		name, err := r.keep(b)
		if err == nil {
			r.add(repairStep{Kind: "object", Subject: id, Kept: name})
			err = r.write()
		}
		if err != nil {
			return err
		}
	}
	return fsx.Remove(file)
}

// bring brings a commit and all that it reaches which is not here.
func (r *repair) bring(ctx context.Context, id string) error {
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
func (r *repair) ensure(ctx context.Context, id string) (below []string, err error) {
	o, err := r.k.read(id)
	if err != nil {
		if o, err = r.k.spare.Get(id); err != nil {
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
		return append(rec.Parents, repo.TreeOf(o.Data)), nil
	case "tree":
		for _, e := range repo.ParseTree(o.Data, r.s.repo.IDSize()) {
			if e.Mode == repo.ModeFile || e.Mode == repo.ModeDir {
				below = append(below, e.ID)
			}
		}
	}
	return below, nil
}
