package codeindex

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/vectors"
	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/codeindex/projects"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// Options say what is indexed, and where the index lies.
type Options struct {
	Git     view.Git
	Blob    func(oid string) ([]byte, error) // the content of a blob
	NoCode  bool                             // there is no repository of code
	Top     string                           // the folder of the work tree; "" is a bare repository
	SHA256  bool                             // of the repository
	Dir     string                           // of the index
	Cache   string                           // where parsers are kept that were compiled for this machine; "" is nowhere
	ID      string                           // of the repository: files of another are not believed
	Model   embed.Embedder                   // for code; nil searches by words alone
	Exclude []string                         // patterns as in .gitignore of what is not indexed
	Include []string                         // and of what is, although it is vendored or excluded
	Kept    *Kept                            // keeps its files open; nil opens them for this index
	AsIs    bool                             // it is only read

	Project  projects.Project
	Registry projects.Registry // where it is noted
}

// An Index finds code in one repository. Several goroutines may use it, beside any number of
// other processes.
type Index struct {
	*files
	o      Options
	folder *disk.Folder
	close  func() error // what else was opened; nil is nothing
}

// A part is a segment and its vectors.
type part struct {
	*segment.Segment
	info       fs.FileInfo
	vectors    *vectors.File // nil if there are none
	vectorInfo fs.FileInfo
}

// within reports whether another segment has all files of p.
func (p *part) within(o *part) bool {
	for i := range p.Files() {
		if _, ok := o.Find(p.File(i).ID); !ok {
			return false
		}
	}
	return true
}

func (p *part) close() {
	_ = p.Segment.Close()
	if p.vectors != nil {
		_ = p.vectors.Close()
	}
}

// Open opens the index, which need not be there yet.
func Open(o Options) *Index {
	return &Index{files: o.Kept.files(o), o: o, folder: disk.NewFolder(o.Dir)}
}

// Close closes its files, unless they are kept. Nobody may use it any more.
func (x *Index) Close() error {
	x.o.Kept.release(x.files)
	if x.close != nil {
		return x.close()
	}
	return nil
}

// errNoPlace says that nothing can be kept of this repository.
var errNoPlace = errors.New("the repository has no id under which an index of its code could be kept")

// prefix begins the names of all files: the version of the format.
const prefix = "code1-"

func (x *Index) id(kind string) [32]byte {
	return sha256.Sum256([]byte(prefix + kind + "\x00" + x.o.ID))
}

func newName() string {
	var b [8]byte
	_, _ = rand.Read(b[:])
	return prefix + hex.EncodeToString(b[:]) + ".seg"
}

// vectorsOf is the name of the file with the vectors of a segment.
func (x *Index) vectorsOf(seg string) string {
	if x.o.Model == nil {
		return ""
	}
	model := sha256.Sum256([]byte(x.o.Model.Model().Name))
	return strings.TrimSuffix(seg, ".seg") + "." + hex.EncodeToString(model[:4]) + ".vec"
}

// refresh opens what others wrote and closes what they removed. What is damaged goes.
func (x *Index) refresh() error {
	if x.o.Dir == "" {
		return errNoPlace
	}
	entries, err := os.ReadDir(x.o.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	there := map[string]fs.FileInfo{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), prefix) {
			there[e.Name()] = info
		}
	}
	if x.are(there, x.vectorsOf) {
		return nil
	}
	for _, e := range entries {
		base, rest, _ := strings.Cut(e.Name(), ".")
		if strings.HasPrefix(base, disk.TempPrefix) || strings.HasSuffix(rest, ".vec") && there[base+".seg"] == nil {
			x.sweep(e)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.changes++
	var open []*part
	for _, p := range x.open {
		if same(p.info, there[p.Name()]) {
			open = append(open, p)
		} else {
			p.close()
		}
	}
	for name, info := range there {
		if strings.HasSuffix(name, ".seg") && !slices.ContainsFunc(open, func(p *part) bool { return p.Name() == name }) {
			if p := x.load(name, info); p != nil {
				open = append(open, p)
			}
		}
	}
	slices.SortFunc(open, func(a, b *part) int { return strings.Compare(a.Name(), b.Name()) })
	for _, p := range open {
		x.loadVectors(p, there[x.vectorsOf(p.Name())])
	}
	x.open = open
	if len(open) > 0 && !x.o.AsIs {
		x.o.Registry.Note(x.o.Project)
	}
	return nil
}

// leftover is how old a file must be that nobody finished, or whose segment is gone, before it
// is removed: its writer was killed, or came too late.
const leftover = time.Hour

func (x *Index) sweep(e fs.DirEntry) {
	if st, err := e.Info(); !x.o.AsIs && err == nil && time.Since(st.ModTime()) > leftover {
		_ = x.folder.Remove(e.Name())
	}
}

// load opens a segment, or removes one that is damaged: what it held is made again.
func (x *Index) load(name string, info fs.FileInfo) *part {
	s, err := x.openSegment(name)
	if err == nil {
		return &part{Segment: s, info: info}
	}
	x.drop(name, err)
	return nil
}

func (x *Index) openSegment(name string) (*segment.Segment, error) {
	return opened(x, name, func(f *disk.File) (*segment.Segment, error) { return segment.Open(f, x.id("segment")) })
}

func (x *Index) openVectors(name string) (*vectors.File, error) {
	return opened(x, name, func(f *disk.File) (*vectors.File, error) {
		return vectors.Open(f, x.id(x.o.Model.Model().Name), x.o.Model.Model().Dim)
	})
}

// opened reads a file as what it is, and closes one that is not.
func opened[S any](x *Index, name string, read func(*disk.File) (S, error)) (s S, err error) {
	f, err := x.folder.Open(name)
	if err != nil {
		return s, err
	}
	err = disk.Guard(func() (err error) { s, err = read(f); return err })
	if err != nil {
		_ = f.Close()
	}
	return s, err
}

// loadVectors opens the vectors of a segment in place of those that it had; info is nil if
// there are none.
func (x *Index) loadVectors(p *part, info fs.FileInfo) {
	if same(p.vectorInfo, info) {
		return
	}
	if p.vectors != nil {
		_ = p.vectors.Close()
	}
	p.vectors, p.vectorInfo = nil, nil
	if info == nil {
		return
	}
	name := x.vectorsOf(p.Name())
	v, err := x.openVectors(name)
	if err != nil {
		x.drop(name, err)
		return
	}
	p.vectors, p.vectorInfo = v, info
}

// drop removes a file that is damaged. One that another process removed, or that this one may
// not read, is none.
func (x *Index) drop(name string, err error) {
	if !x.o.AsIs && (errors.Is(err, segment.ErrDamaged) || errors.Is(err, disk.ErrForeign)) {
		_ = x.folder.Remove(name)
	}
}

// read calls do while nobody closes a file, and turns the fault of a file that was cut short
// into an ErrDamaged. Segments in which damage was met are removed, so that the next time all is
// well.
func (x *Index) read(do func([]*part) error) error {
	x.mu.RLock()
	parts := x.open
	err := disk.Guard(func() error { return do(parts) })
	var fault interface{ Addr() uintptr }
	if errors.As(err, &fault) {
		err = fmt.Errorf("%w: a file was cut short", segment.ErrDamaged)
	}
	var bad []string
	if !x.o.AsIs && errors.Is(err, segment.ErrDamaged) {
		for _, p := range parts {
			if disk.Guard(p.Segment.Verify) != nil {
				bad = append(bad, p.Name())
			} else if p.vectors != nil && disk.Guard(p.vectors.Verify) != nil {
				bad = append(bad, x.vectorsOf(p.Name()))
			}
		}
	}
	x.mu.RUnlock()
	for _, name := range bad {
		_ = x.folder.Remove(name)
	}
	if len(bad) > 0 {
		_ = x.refresh()
		err = fmt.Errorf("the index of code was %w: what it lost is made again, try once more", err)
	}
	return err
}

// ErrNoCode says that there is no repository here, but the memory of a user alone.
var ErrNoCode = errors.New("not in a git repository: there is no code to look at")

// view lists the files of the work tree, or of a commit. It asks again where git was killed:
// git maps the files that it compares, and dies when one is cut short meanwhile.
func (x *Index) view(ctx context.Context, rev string) (*view.View, error) {
	if x.o.NoCode {
		return nil, ErrNoCode
	}
	v, err := x.list(ctx, rev)
	var ended *gitstore.GitError
	if errors.As(err, &ended) && ended.Killed() && ctx.Err() == nil {
		v, err = x.list(ctx, rev)
	}
	return v, err
}

func (x *Index) list(ctx context.Context, rev string) (*view.View, error) {
	o := x.viewOptions(x.o.Top)
	if rev == "" && x.o.Top != "" {
		return view.WorkTree(ctx, x.o.Git, o)
	}
	if rev == "" {
		rev = "HEAD"
	}
	return view.Commit(ctx, x.o.Git, rev, o)
}

func (x *Index) viewOptions(top string) view.Options {
	return view.Options{Top: top, SHA256: x.o.SHA256, Exclude: x.o.Exclude, Include: x.o.Include}
}

// content returns that of a file of a view.
func (x *Index) content(v *view.View, f *view.File) ([]byte, error) {
	if source, ok := v.Read(f); ok {
		return source, nil
	}
	if f.Own {
		return nil, fmt.Errorf("%s: %w", f.Path, errChanged)
	}
	return x.o.Blob(f.OID)
}

// errChanged says that a file was changed or removed since it was listed.
var errChanged = errors.New("changed meanwhile")
