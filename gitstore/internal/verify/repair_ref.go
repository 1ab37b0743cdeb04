package verify

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

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// A refFix sets a ref to the value that is remembered of it. A file that git
// cannot read is put aside first, since git refuses to move such a ref.
type refFix struct {
	name   string
	to     was    // id "" puts the file aside and sets nothing
	old    string // what git has now; "" is nothing
	raw    []byte // what the file holds that git cannot read
	hasRaw bool
	title  string // of to
}

func (f *refFix) about() string { return f.name }

func (f *refFix) will() string {
	if f.to.id == "" {
		return "moves the file aside; no save is known there"
	}
	return "sets it to " + f.title + f.origin()
}

func (f *refFix) did() string {
	if f.to.id == "" {
		return "moved the file aside; no save is known there"
	}
	return "set to " + f.title + f.origin()
}

func (f *refFix) origin() string {
	if f.to.source == chosen {
		return ""
	}
	return ", its last value in " + f.to.source
}

func (f *refFix) plan(k *checker, r *repair) error {
	step := repairStep{Kind: "ref", Subject: f.name, Old: f.old, New: f.to.id, Journal: k.known[f.name].id, Since: k.known[f.name].when}
	b, err := fsx.ReadFile(k.s.refFile(f.name))
	if !f.hasRaw && (err != nil || repo.Text(b) == f.old) { // git itself can put it back
		r.add(step)
		return nil
	}
	if step.Kept, err = r.keep(b); err == nil {
		r.add(step)
	}
	return err
}

func (f *refFix) do(ctx context.Context, r *repair) error {
	if f.to.id != "" {
		if err := r.bring(ctx, f.to.id); err != nil {
			return err
		}
	}
	if err := r.keepRef(ctx, f.name, f.old); err != nil {
		return err
	}
	if f.hasRaw {
		if err := r.s.dropRefFile(f.name, f.raw); err != nil {
			return err
		}
	}
	if f.to.id == "" {
		return nil
	}
	if f.to.id != f.old {
		if err := r.s.ledger.Move(ctx, "sage: repair", journal.Move{Ref: f.name, Old: f.old, New: f.to.id}); err != nil {
			return err
		}
	}
	return r.s.setJournal(f.name, f.to.id, r.writerRecord.At)
}

// keepRef makes a ref that keeps a commit from being deleted, if all that it
// reaches is there: else git's own gc would stop at it. What is on the user's own
// refs needs none.
func (r *repair) keepRef(ctx context.Context, name, id string) error {
	if o, err := r.s.repo.Object(id); err != nil || o.Type != "commit" {
		return nil
	}
	out, err := r.s.repo.Git.Run(ctx, "rev-list", "--max-count=1", id, "--not", "--branches", "--tags", "--remotes")
	if err != nil || len(out) == 0 {
		return nil
	}
	if _, err := r.s.repo.Git.Run(ctx, "rev-list", "--quiet", "--objects", "--end-of-options", id); err != nil {
		return nil
	}
	kept := fmt.Sprintf("%s%d/%s", repo.KeptPrefix, r.n, strings.TrimPrefix(name, "refs/sage/"))
	m, err := r.s.ledger.Mover(ctx, "sage: keep what a repair replaced")
	if err == nil {
		err = r.s.ledger.MoveBy(m, []journal.Move{{Ref: kept, Old: "", New: id}})
	}
	if errors.Is(err, journal.ErrMoved) { // it is kept already
		return nil
	}
	return err
}

func (ve *Verifier) refFile(name string) string {
	return filepath.Join(ve.repo.Where.CommonDir, filepath.FromSlash(name))
}

// dropRefFile removes the file of a ref that git cannot read, if it still holds
// was. It takes git's own lock for that.
func (ve *Verifier) dropRefFile(name string, was []byte) error {
	return ve.lockedRef(name, func(file string) error {
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
func (ve *Verifier) putRefFile(ctx context.Context, name, now string, b []byte) error {
	return ve.lockedRef(name, func(file string) error {
		tip, err := ve.repo.Tip(ctx, name)
		if err != nil || tip != now {
			return cmp.Or(err, journal.ErrMoved)
		}
		return fsx.WriteFile(file, b, 0o644)
	})
}

// lockedRef calls fn while no git can move the ref: it holds the lock that git
// itself would take. A record tells whose it is, if we are killed meanwhile.
func (ve *Verifier) lockedRef(name string, fn func(file string) error) error {
	file := ve.refFile(name)
	if err := fsx.Mkdir(filepath.Dir(file)); err != nil {
		return err
	}
	rec := ve.ledger.NewRecord()
	defer rec.Remove()
	if err := rec.Write([]journal.Move{{Ref: name, New: ve.repo.Objects.Zero()}}, os.Getpid()); err != nil {
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
