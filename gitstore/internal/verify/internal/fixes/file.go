package fixes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
)

// A File fix takes away a file of ours that lies beside git's.
type File struct {
	Path, Name string
	What, Done string // what that does, for people
}

func (f *File) About() string { return f.Name }
func (f *File) Will() string  { return f.What }
func (f *File) Did() string   { return f.Done }

func (f *File) Plan(r *Run) error {
	b, err := fsx.ReadOwn(f.Path)
	return r.addKept(Step{Kind: "file", Subject: f.Path}, b, err)
}

func (f *File) Do(context.Context, *Run) error {
	if err := fsx.Remove(f.Path); err != nil && !os.IsNotExist(err) {
		return err
	}
	return fsx.SyncDir(filepath.Dir(f.Path))
}

// A Lock fix removes a lock that a git left which was killed.
type Lock struct {
	Path, Name string
	Inode      uint64
	At         time.Time // when it was written
}

func (f *Lock) About() string { return f.Name }
func (f *Lock) Will() string  { return "removes it if no git is running here" }
func (f *Lock) Did() string   { return "removed; no git is running here" }

func (f *Lock) Plan(r *Run) error {
	b, err := fsx.ReadFile(f.Path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	name, err := r.keep(b)
	r.Add(Step{Kind: "lock", Subject: f.Path, Kept: name})
	return err
}

// Do removes the lock if it is the one that was seen and no git is at work.
func (f *Lock) Do(_ context.Context, r *Run) error {
	if err := r.nobodyAtWork(); err != nil {
		return err
	}
	st, err := fsx.Lstat(f.Path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if fsx.Inode(st) != f.Inode || !st.ModTime().Equal(f.At) {
		return journal.ErrMoved
	}
	if err := fsx.Remove(f.Path); err != nil {
		return err
	}
	return fsx.SyncDir(filepath.Dir(f.Path))
}

// nobodyAtWork returns an error if a git may be at work in this repository.
func (rs Rooms) nobodyAtWork() error {
	if kind, local := fsx.Kind(rs.Repo.Where.CommonDir); !local {
		return fmt.Errorf("%s file system: a git may be running on another machine", kind)
	}
	_ = rs.Repo.Batch.Close()
	busy, known := rs.Session.AtWork()
	if !known {
		return errors.New("cannot tell which gits are running on this system; if none is, delete the file")
	}
	if len(busy) > 0 {
		return fmt.Errorf("git is running here: process %d, '%s'", busy[0].Pid, busy[0].Command)
	}
	return nil
}

// A Rewrite fix lets a file of lines be written anew, without the damaged ones.
type Rewrite struct {
	Name, Path string
	Again      func() error
}

func (f *Rewrite) About() string { return f.Name }
func (f *Rewrite) Will() string  { return "rewrites it without them" }
func (f *Rewrite) Did() string   { return "rewritten without the damaged lines" }

func (f *Rewrite) Plan(r *Run) error { return (&File{Path: f.Path}).Plan(r) }

func (f *Rewrite) Do(context.Context, *Run) error { return f.Again() }

// A Journal fix notes in the journal the refs that it does not know, as they are.
type Journal struct{ At map[string]string } // ids by ref

func (f *Journal) About() string { return "sage/journal" }
func (f *Journal) Will() string  { return "records the refs as they are" }
func (f *Journal) Did() string   { return "recorded the refs as they are" }

func (f *Journal) Plan(r *Run) error {
	return (&File{Path: r.Journal.JournalFile()}).Plan(r)
}

func (f *Journal) Do(ctx context.Context, r *Run) error {
	return r.Journal.RewriteJournal(func(known map[string]journal.Entry) error {
		for name, id := range f.At {
			if _, told := known[name]; told {
				continue
			}
			if tip, err := r.Repo.Tip(ctx, name); err == nil && tip == id {
				known[name] = journal.Entry{New: id, At: r.At()}
			}
		}
		return ctx.Err()
	})
}

// A Temps fix removes temporary files. They are no part of anything, so that there is
// nothing to keep.
type Temps struct{ Files []string }

func (f *Temps) About() string { return "temporary files" }
func (f *Temps) Will() string  { return "removes them if no git is running here" }
func (f *Temps) Did() string   { return fmt.Sprintf("removed %d", len(f.Files)) }

func (f *Temps) Plan(*Run) error { return nil }

func (f *Temps) Do(_ context.Context, r *Run) error {
	if err := r.nobodyAtWork(); err != nil {
		return err
	}
	for _, file := range f.Files {
		if err := fsx.Remove(file); err != nil {
			return err
		}
	}
	return nil
}
