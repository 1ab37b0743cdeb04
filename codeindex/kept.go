package codeindex

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/codeindex/parse"
)

// Kept keeps the files of indexes open for a process that lives long and opens an index for
// each call. In Go's own sources, 130,000 chunks, a symbol takes 5 ms beside git instead of 26,
// and a search 15 instead of 91 without the model (BenchmarkCalls), of which reading what git
// lists takes 4: the checksums of 50 MB, and which files of the view are where, are the same as
// before. Each call compares the folder with what is open, in 50 µs, so that it sees what
// another process wrote or removed. Several goroutines may use it. The zero value is empty.
type Kept struct {
	mu  sync.Mutex
	all []*files // the one that was asked for last at the end
}

// mostKept is how many indexes stay open that nobody uses.
const mostKept = 4

// files are what is open of the folder of an index.
type files struct {
	key   string // "" is not kept
	users int    // indexes

	mu      sync.RWMutex
	open    []*part // ordered by name; replaced when it changes
	changes int     // of open and of the vectors in it
	kept    keptHistory
	last    atomic.Pointer[live] // of all files of the view that was asked for last

	parser  func() (*parse.Parser, error)
	parsing *parse.Parser // what parser made
}

func newFiles(key, cache string) *files {
	f := &files{key: key}
	f.parser = sync.OnceValues(func() (*parse.Parser, error) {
		p, err := parse.New(cache)
		if err != nil { // where nothing can be kept, each process compiles what it needs
			p, err = parse.New("")
		}
		f.parsing = p
		return p, err
	})
	return f
}

func (f *files) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.open {
		p.close()
	}
	f.open = nil
	if f.parsing != nil {
		_ = f.parsing.Close()
	}
}

// files are those of an index, which are closed with it unless somebody keeps them.
func (k *Kept) files(o Options) *files {
	if k == nil || o.Dir == "" {
		return newFiles("", o.Cache)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	model := ""
	if o.Model != nil {
		model = o.Model.Model().Name
	}
	key := fmt.Sprintf("%q %q %q %q", o.Dir, o.ID, model, o.Cache)
	f := newFiles(key, o.Cache)
	if i := slices.IndexFunc(k.all, func(f *files) bool { return f.key == key }); i >= 0 {
		f = k.all[i]
		k.all = slices.Delete(k.all, i, i+1)
	}
	f.users++
	k.all = append(k.all, f)
	return f
}

// release gives back what files returned, and closes those that were not asked for lately.
func (k *Kept) release(f *files) {
	if f.key == "" {
		f.close()
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	f.users--
	for i := 0; i < len(k.all) && len(k.all) > mostKept; {
		if k.all[i].users > 0 {
			i++
			continue
		}
		k.all[i].close()
		k.all = slices.Delete(k.all, i, i+1)
	}
}

// are reports whether what is open is what a folder holds.
func (f *files) are(there map[string]fs.FileInfo, vectorsOf func(seg string) string) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for name := range there {
		if strings.HasSuffix(name, ".seg") && !slices.ContainsFunc(f.open, func(p *part) bool { return p.Name() == name }) {
			return false
		}
	}
	return !slices.ContainsFunc(f.open, func(p *part) bool {
		return !same(p.info, there[p.Name()]) || !same(p.vectorInfo, there[vectorsOf(p.Name())])
	})
}

// same reports whether a file is the one that was opened, and nobody wrote it since; both may
// be nil.
func same(opened, now fs.FileInfo) bool {
	if opened == nil || now == nil {
		return opened == now
	}
	return os.SameFile(opened, now) && opened.Size() == now.Size() && opened.ModTime().Equal(now.ModTime())
}
