package fixes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A Ref fix sets a ref to the value that is remembered of it. A file that git cannot read
// is put aside first, since git refuses to move such a ref.
type Ref struct {
	Name   string
	To     string // id to set; "" puts the file aside and sets nothing
	Title  string // of To
	Source string // that remembers To; "" is the choice of a person
	Old    string // what git has now; "" is nothing
	Raw    []byte // what the file holds that git cannot read
	HasRaw bool

	Journal string    // what the journal says of the ref
	Since   time.Time // and since when
}

func (f *Ref) About() string { return f.Name }

func (f *Ref) Will() string {
	if f.To == "" {
		return "moves the file aside; no save is known there"
	}
	return "sets it to " + f.Title + f.origin()
}

func (f *Ref) Did() string {
	if f.To == "" {
		return "moved the file aside; no save is known there"
	}
	return "set to " + f.Title + f.origin()
}

func (f *Ref) origin() string {
	if f.Source == "" {
		return ""
	}
	return ", its last value in " + f.Source
}

func (f *Ref) Plan(r *Run) error {
	step := Step{Kind: "ref", Subject: f.Name, Old: f.Old, New: f.To, Journal: f.Journal, Since: f.Since}
	b, err := fsx.ReadFile(RefFile(r.Repo, f.Name))
	if !f.HasRaw && (err != nil || git.Text(b) == f.Old) { // git itself can put it back
		r.Add(step)
		return nil
	}
	if step.Kept, err = r.keep(b); err == nil {
		r.Add(step)
	}
	return err
}

func (f *Ref) Do(ctx context.Context, r *Run) error {
	if f.To != "" {
		if err := r.bring(ctx, f.To); err != nil {
			return err
		}
	}
	if err := r.keepRef(ctx, f.Name, f.Old); err != nil {
		return err
	}
	if f.HasRaw {
		if err := r.dropRefFile(f.Name, f.Raw); err != nil {
			return err
		}
	}
	if f.To == "" {
		return nil
	}
	if f.To != f.Old {
		if err := r.Ledger.Move(ctx, "sage: repair", journal.Move{Ref: f.Name, Old: f.Old, New: f.To}); err != nil {
			return err
		}
	}
	return r.SetJournal(f.Name, f.To, r.record.At)
}

// keepRef makes a ref that keeps a commit from being deleted, if all that it
// reaches is there: else git's own gc would stop at it. What is on the user's own
// refs needs none.
func (r *Run) keepRef(ctx context.Context, name, id string) error {
	if o, err := r.Repo.Object(id); err != nil || o.Type != "commit" {
		return nil
	}
	out, err := r.Repo.Git.Run(ctx, "rev-list", "--max-count=1", id, "--not", "--branches", "--tags", "--remotes")
	if err != nil || len(out) == 0 {
		return nil
	}
	if _, err := r.Repo.Git.Run(ctx, "rev-list", "--quiet", "--objects", "--end-of-options", id); err != nil {
		return nil
	}
	kept := fmt.Sprintf("%s%d/%s", refname.KeptPrefix, r.n, strings.TrimPrefix(name, "refs/sage/"))
	m, err := r.Ledger.Mover(ctx, "sage: keep what a repair replaced")
	if err == nil {
		err = r.Ledger.MoveBy(m, []journal.Move{{Ref: kept, Old: "", New: id}})
	}
	if errors.Is(err, journal.ErrMoved) { // it is kept already
		return nil
	}
	return err
}

// RefFile is the file of a ref that is not packed.
func RefFile(r *repo.Repo, name string) string {
	return filepath.Join(r.Where.CommonDir, filepath.FromSlash(name))
}

// dropRefFile removes the file of a ref that git cannot read, if it still holds
// was. It takes git's own lock for that.
func (rs Rooms) dropRefFile(name string, was []byte) error {
	return rs.lockedRef(name, func(file string) error {
		b, err := fsx.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !bytes.Equal(b, was) {
			return cmp.Or(err, journal.ErrMoved)
		}
		if err := fsx.Remove(file); err != nil {
			return err
		}
		return fsx.SyncDir(filepath.Dir(file))
	})
}

// putRefFile gives a ref a file that git would not write, as it was before a
// repair, if the ref still is at now.
func (rs Rooms) putRefFile(ctx context.Context, name, now string, b []byte) error {
	return rs.lockedRef(name, func(file string) error {
		tip, err := rs.Repo.Tip(ctx, name)
		if err != nil || tip != now {
			return cmp.Or(err, journal.ErrMoved)
		}
		return fsx.WriteFile(file, b, 0o644)
	})
}

// lockedRef calls fn while no git can move the ref: it holds the lock that git
// itself would take. A record tells whose it is, if we are killed meanwhile.
func (rs Rooms) lockedRef(name string, fn func(file string) error) error {
	file := RefFile(rs.Repo, name)
	if err := fsx.Mkdir(filepath.Dir(file)); err != nil {
		return err
	}
	rec := rs.Ledger.NewRecord()
	defer rec.Remove()
	if err := rec.Write([]journal.Move{{Ref: name, New: rs.Repo.Objects.Zero()}}, os.Getpid()); err != nil {
		return err
	}
	lock := file + ".lock"
	f, err := fsx.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("lock %s: %w", name, err)
	}
	defer func() { _ = fsx.Remove(lock) }()
	return cmp.Or(f.Close(), fn(file))
}
