package verify

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

// A fileFix takes away or replaces a file of ours that lies beside git's.
type fileFix struct {
	file, name string
	what, done string // what that does, for people
	data       []byte // what to write instead; nil removes it
}

func (f *fileFix) about() string { return f.name }
func (f *fileFix) will() string  { return f.what }
func (f *fileFix) did() string   { return f.done }

func (f *fileFix) plan(_ *checker, r *repair) error {
	b, err := fsx.ReadOwn(f.file)
	if os.IsNotExist(err) {
		r.add(repairStep{Kind: "file", Subject: f.file})
		return nil
	}
	if err != nil {
		return err
	}
	name, err := r.keep(b)
	r.add(repairStep{Kind: "file", Subject: f.file, Kept: name})
	return err
}

func (f *fileFix) do(context.Context, *repair) error {
	if f.data != nil {
		return fsx.WriteFile(f.file, f.data, 0o644)
	}
	if err := fsx.Remove(f.file); err != nil && !os.IsNotExist(err) {
		return err
	}
	return fsx.SyncDir(filepath.Dir(f.file))
}

// A lockFix removes a lock that a git left which was killed.
type lockFix struct {
	path, name string
	inode      uint64
	at         time.Time
}

func (f *lockFix) about() string { return f.name }
func (f *lockFix) will() string  { return "removes it if no git is running here" }
func (f *lockFix) did() string   { return "removed; no git is running here" }

func (f *lockFix) plan(_ *checker, r *repair) error {
	b, err := fsx.ReadFile(f.path)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	name, err := r.keep(b)
	r.add(repairStep{Kind: "lock", Subject: f.path, Kept: name})
	return err
}

// do removes the lock if it is the one that was seen and no git is at work.
func (f *lockFix) do(_ context.Context, r *repair) error {
	if err := r.s.nobodyAtWork(); err != nil {
		return err
	}
	st, err := fsx.Lstat(f.path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if fsx.Inode(st) != f.inode || !st.ModTime().Equal(f.at) {
		return journal.ErrMoved
	}
	if err := fsx.Remove(f.path); err != nil {
		return err
	}
	return fsx.SyncDir(filepath.Dir(f.path))
}

// nobodyAtWork returns an error if a git may be at work in this repository.
func (ve *Verifier) nobodyAtWork() error {
	if kind, local := fsx.Kind(ve.repo.Where.CommonDir); !local {
		return fmt.Errorf("%s file system: a git may be running on another machine", kind)
	}
	_ = ve.repo.Batch.Close()
	busy, known := ve.session.AtWork()
	if !known {
		return errors.New("cannot tell which gits are running on this system; if none is, delete the file")
	}
	if len(busy) > 0 {
		return fmt.Errorf("git is running here: process %d, '%s'", busy[0].Pid, busy[0].Command)
	}
	return nil
}
