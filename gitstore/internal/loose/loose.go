// Package loose writes git's loose objects: what `git hash-object -w` does,
// without a process for each, and durably.
//
// Three things git leaves to chance are done here, each found by a fault test:
// an object that exists is refreshed, so that a prune in another process keeps
// it; one that exists but is empty or damaged is replaced, where git would
// acknowledge it; and its folder is synced, where git syncs none.
package loose

import (
	"cmp"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// An Object is to be written: its type (blob, tree, commit), its content, and
// its id.
type Object struct {
	ID   string
	Type string
	Data []byte
}

// A Store is a repository's folder of objects.
type Store struct {
	Dir     string // .git/objects
	Format  string // sha1 or sha256
	Durable bool   // sync what is written

	likeFolder bool // give files the mode of their folder, not what the umask leaves
}

// New returns the object of this type and content, with its id.
func (s *Store) New(typ string, data []byte) Object {
	h := s.hash()
	fmt.Fprintf(h, "%s %d\x00", typ, len(data))
	h.Write(data)
	return Object{hex.EncodeToString(h.Sum(nil)), typ, data}
}

func (s *Store) hash() hash.Hash {
	if s.Format == "sha256" {
		return sha256.New()
	}
	return sha1.New()
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

// Zero is the id that stands for no object.
func (s *Store) Zero() string {
	if s.Format == "sha256" {
		return zeros
	}
	return zeros[:2*sha1.Size]
}

// Write writes the objects. After it returned nil they are there and, if the
// store is durable, stay there through a power cut.
//
// It goes in steps for all of them together: contents are synced side by side,
// then every file gets its name, then the folders are synced. A file system with
// a journal commits all names with the first folder; three objects take half the
// time of one after the other.
func (s *Store) Write(objects ...Object) error {
	var err error
	for range 40 { // gc removes empty folders and tmp_obj_* files under us
		if err = s.write(objects); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	return nil
}

func (s *Store) write(objects []Object) error {
	temps := make([]string, len(objects))
	defer func() {
		for _, t := range temps {
			if t != "" {
				_ = fsx.Remove(t)
			}
		}
	}()
	if err := s.each(objects, func(i int, o Object) (err error) {
		if !s.refresh(o) {
			temps[i], err = s.create(o)
		}
		return err
	}); err != nil {
		return err
	}
	for i, o := range objects {
		if temps[i] == "" {
			continue
		}
		if err := fsx.Rename(temps[i], s.path(o.ID)); err != nil {
			return err
		}
		temps[i] = ""
	}
	return s.syncDirs(objects)
}

// each runs f for every object, side by side if that may wait for a disk.
func (s *Store) each(objects []Object, f func(int, Object) error) error {
	errs := make([]error, len(objects))
	var wg sync.WaitGroup
	for i, o := range objects {
		if !s.Durable || i == len(objects)-1 {
			errs[i] = f(i, o)
			continue
		}
		wg.Go(func() { errs[i] = f(i, o) })
	}
	wg.Wait()
	return cmp.Or(errs...) // one says it: where there is no space, there is none for all
}

func (s *Store) syncDirs(objects []Object) error {
	if !s.Durable {
		return nil
	}
	dirs := []string{s.Dir} // a folder of objects may be new
	for _, o := range objects {
		if dir := filepath.Dir(s.path(o.ID)); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return fsx.SyncAll(nil, dirs)
}

// refresh reports whether o is there already, and makes it young and durable.
func (s *Store) refresh(o Object) bool {
	if !s.Holds(o) {
		return false
	}
	file := s.path(o.ID)
	if fsx.Touch(file, time.Now()) != nil {
		return false
	}
	return !s.Durable || fsx.SyncFile(file) == nil
}

// create writes o to a temporary file, which git's own gc clears if we do not
// get to name it.
func (s *Store) create(o Object) (name string, err error) {
	dir := filepath.Dir(s.path(o.ID))
	f, err := temp(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.mkdir(dir); err == nil || errors.Is(err, fs.ErrExist) {
			f, err = temp(dir)
		}
	}
	if err != nil {
		return "", err
	}
	return f.Name(), s.fill(f, o)
}

func (s *Store) mkdir(dir string) error {
	if s.likeFolder {
		return fsx.MkdirIn(dir)
	}
	return fsx.MkdirOne(dir, 0o777)
}

// temp makes a file that nobody may write, and that those may read whom the
// umask allows: os.CreateTemp knows no mode.
func temp(dir string) (f *fsx.File, err error) {
	for range 100 {
		name := filepath.Join(dir, "tmp_obj_"+strconv.FormatUint(uint64(rand.Uint32()), 36))
		f, err = fsx.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

func (s *Store) fill(f *fsx.File, o Object) error {
	_, err := f.Write(encode(o))
	if err == nil && s.likeFolder {
		err = fsx.ReadableAs(f, filepath.Dir(f.Name()))
	}
	if err == nil && s.Durable {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

// Settle makes an object durable that git wrote: the folder too, which git does
// not sync.
func (s *Store) Settle(id string) error {
	file := s.path(id)
	return cmp.Or(fsx.SyncFile(file), fsx.SyncDir(filepath.Dir(file)), fsx.SyncDir(s.Dir))
}

func (s *Store) path(id string) string { return filepath.Join(s.Dir, id[:2], id[2:]) }
