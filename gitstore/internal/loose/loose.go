// Package loose writes git's loose objects: what `git hash-object -w` does,
// without a process for each, and durably.
//
// Three things git leaves to chance are done here, each found by a fault test:
// an object that exists is refreshed, so that a prune in another process keeps
// it; one that exists but is empty or damaged is replaced, where git would
// acknowledge it; and its folder is synced, where git syncs none.
package loose

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// Zero is the id that stands for no object.
func (s *Store) Zero() string {
	return fmt.Sprintf("%0*d", 2*s.hash().Size(), 0)
}

// Write writes the objects side by side. After it returned nil they are there
// and, if the store is durable, stay there through a power cut.
func (s *Store) Write(objects ...Object) error {
	errs := make([]error, len(objects))
	var wg sync.WaitGroup
	for i, o := range objects {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = s.write(o)
		}()
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (s *Store) write(o Object) error {
	dst := s.path(o.ID)
	if s.refresh(o, dst) {
		return nil
	}
	var err error
	for range 8 { // gc removes empty folders and tmp_obj_* files under us
		if err = s.create(o, dst); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("write object %s: %w", o.ID, err)
	}
	return nil
}

// refresh reports whether o is there already and now also young and durable.
func (s *Store) refresh(o Object, dst string) bool {
	if !s.Holds(o) {
		return false
	}
	now := time.Now()
	if os.Chtimes(dst, now, now) != nil {
		return false
	}
	return !s.Durable || fsx.SyncFile(dst) == nil && fsx.SyncDir(filepath.Dir(dst)) == nil
}

func (s *Store) create(o Object, dst string) error {
	dir := filepath.Dir(dst)
	made, err := makeDir(dir)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "tmp_obj_")
	if err != nil {
		return err
	}
	err = s.fill(f, o)
	if err == nil {
		err = os.Rename(f.Name(), dst)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	if !s.Durable {
		return nil
	}
	if made {
		err = fsx.SyncDir(s.Dir)
	}
	return errors.Join(err, fsx.SyncDir(dir))
}

func makeDir(dir string) (made bool, err error) {
	if err = os.Mkdir(dir, 0o777); errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

func (s *Store) fill(f *os.File, o Object) error {
	z := writers.Get().(*zlib.Writer)
	defer writers.Put(z)
	var buf bytes.Buffer
	z.Reset(&buf)
	fmt.Fprintf(z, "%s %d\x00", o.Type, len(o.Data))
	_, _ = z.Write(o.Data)
	err := z.Close()
	if err == nil {
		_, err = f.Write(buf.Bytes())
	}
	if err == nil {
		err = f.Chmod(0o444)
	}
	if err == nil && s.Durable {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Settle makes an object durable that git wrote: the folder too, which git does
// not sync.
func (s *Store) Settle(id string) error {
	file := s.path(id)
	return errors.Join(fsx.SyncFile(file), fsx.SyncDir(filepath.Dir(file)), fsx.SyncDir(s.Dir))
}

var writers = sync.Pool{New: func() any {
	z, _ := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)
	return z
}}

// Holds reports whether o lies here as a loose object with this very content.
func (s *Store) Holds(o Object) bool {
	got, ok := s.Read(o.ID)
	return ok && got.Type == o.Type && bytes.Equal(got.Data, o.Data)
}

// maxRead bounds an object that Read takes, in bytes; git reads larger ones.
const maxRead = 16 << 20

// Read returns the loose object with this id, if it is there and whole.
func (s *Store) Read(id string) (o Object, ok bool) {
	if len(id) < 3 {
		return o, false
	}
	f, err := os.Open(s.path(id))
	if err != nil {
		return o, false
	}
	defer f.Close()
	z, err := zlib.NewReader(f)
	if err != nil {
		return o, false
	}
	defer z.Close()
	b, err := io.ReadAll(io.LimitReader(z, maxRead))
	head, data, found := bytes.Cut(b, []byte{0})
	typ, _, _ := strings.Cut(string(head), " ")
	if err != nil || !found || len(b) == maxRead {
		return o, false
	}
	o = s.New(typ, data)
	return o, o.ID == id
}

func (s *Store) path(id string) string { return filepath.Join(s.Dir, id[:2], id[2:]) }
