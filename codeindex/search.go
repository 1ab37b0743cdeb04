package codeindex

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-sage/git-sage/codeindex/internal/patch"
	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/codeindex/projects"
)

// DefaultLimit is how many hits a search brings.
const DefaultLimit = 10

// A Query asks for code.
type Query struct {
	Text      string
	Rev       string   // a commit; "" is the work tree
	Limit     int      // 0 is DefaultLimit
	Languages []string // of the files, as [Query.Check] leaves them; none is all
	Kinds     []string // of definitions; none is all
	Path      string   // a folder, a file or a glob, of doublestar's; "" is all
	Since     string   // a commit or a date: what changed since then; "" is all

	elsewhere map[words.Term]bool // what an index has that is searched beside this: who lacks it has less
}

// A Hit is a piece of code.
type Hit struct {
	Path        string
	First, Last int // lines, from 1
	Kind        string
	Name        string // "" of what defines nothing
	Container   string
	Signature   string
	Doc         string // at most two lines
	Language    string
	Blob        string           // id of the file's
	Score       float64          // 0 to 1
	Weak        bool             // little speaks for it
	Line        int              // where the query itself names it; 0 is nowhere
	Highlights  []string         // words of the query that it has, as they stand there
	Project     projects.Project // of [Across]; else none
}

// FullName is the name of what is defined with what that is in, "" of what defines nothing.
func (h *Hit) FullName() string {
	if h.Container == "" || h.Name == "" {
		return h.Name
	}
	return h.Container + "." + h.Name
}

// File is where a hit is, from the top of the repository, or of one of several the whole path.
func (h *Hit) File() string {
	if h.Project.Dir == "" {
		return h.Path
	}
	return filepath.Join(h.Project.Dir, filepath.FromSlash(h.Path))
}

// A Result is what a search found, the best first.
type Result struct {
	Hits     []Hit
	Files    int       // of the view
	Missing  int       // of them, not indexed yet
	Embedded int       // chunks of the view with a vector
	Wanting  int       // those that want one
	Newest   time.Time // when something was last indexed
}

// Search finds code by words and by meaning. What of the view is not indexed yet is not
// found, and counted in Result.Missing. What meets damage, which is then gone, begins anew.
func (x *Index) Search(ctx context.Context, q Query) (*Result, error) {
	vector := sync.OnceValues(x.askModel(ctx, q.Text)) // while git lists files
	r, err := x.search(ctx, q, vector)
	if errors.Is(err, segment.ErrDamaged) && ctx.Err() == nil {
		r, err = x.search(ctx, q, vector)
	}
	return r, err
}

func (x *Index) search(ctx context.Context, q Query, vector func() ([]float32, error)) (*Result, error) {
	past := x.past(ctx, q.Rev)
	v, err := x.current(ctx, q.Rev)
	if err != nil {
		return nil, err
	}
	changed, err := x.since(ctx, v, q)
	if err != nil {
		return nil, err
	}
	if err := x.embedFew(ctx, v); err != nil {
		return nil, err
	}
	vec, err := vector()
	if err != nil {
		return nil, err
	}
	out, told := &Result{Files: len(v.Files)}, past() // before anything is locked, for it may lock
	err = x.read(func(parts []*part) error {
		whole := x.live(v)
		l := q.live(whole, changed)
		hits, err := newRanking(l, q, vec, told).run()
		if err != nil {
			return err
		}
		out.Hits = hits
		out.Missing, out.Newest = len(v.Files)-whole.paths, x.newest(parts)
		out.Embedded, out.Wanting, err = x.embeddedOf(l)
		return err
	})
	if err == nil {
		x.highlight(v, q.Text, out.Hits)
	}
	return out, err
}

// askModel begins to embed a text, and returns what waits for it.
func (x *Index) askModel(ctx context.Context, text string) func() ([]float32, error) {
	if x.o.Model == nil || strings.TrimSpace(text) == "" {
		return func() ([]float32, error) { return nil, nil }
	}
	type answer struct {
		rows [][]float32
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		rows, err := x.o.Model.Queries(ctx, []string{text})
		done <- answer{rows, err}
	}()
	return func() ([]float32, error) {
		a := <-done
		if a.err != nil || len(a.rows) == 0 {
			return nil, a.err
		}
		return a.rows[0], nil
	}
}

// live are the files and lines of a view that a query may find.
func (q *Query) live(whole *live, changed patch.Lines) *live {
	may := q.may(whole.parts, changed)
	if may == nil {
		return whole
	}
	l := newLive(whole.view, whole.parts, may)
	l.changed = changed
	return l
}

// may are the files that a query may find.
func (q *Query) may(parts []*part, changed patch.Lines) func(*view.File) bool {
	if q.Path == "" && len(q.Languages) == 0 && changed == nil {
		return nil
	}
	return func(f *view.File) bool {
		return (changed == nil || changed[f.Path] != nil) && (q.Path == "" || within(f.Path, q.Path)) && (len(q.Languages) == 0 || slices.Contains(q.Languages, languageOf(parts, f.ID)))
	}
}

// within reports whether a path is a file, is in a folder, or fits a glob, wherever that
// begins: ** stands for folders, {a,b} for either.
func within(file, pattern string) bool {
	pattern = strings.Trim(path.Clean(pattern), "/")
	if pattern == "." || file == pattern || strings.HasPrefix(file, pattern+"/") {
		return true
	}
	return doublestar.MatchUnvalidated("**/"+pattern, file) || doublestar.MatchUnvalidated("**/"+pattern+"/**", file)
}

func languageOf(parts []*part, id segment.ID) string {
	for _, p := range parts {
		if i, ok := p.Find(id); ok {
			return p.File(i).Language
		}
	}
	return ""
}

// embeddedOf counts the chunks that have a vector, and those that want one: none without a
// model.
func (x *Index) embeddedOf(l *live) (have, all int, err error) {
	if x.o.Model == nil {
		return 0, 0, nil
	}
	l.counted.Do(func() { l.embedded, l.wants, l.err = l.countVectors() })
	return l.embedded, l.wants, l.err
}

func (l *live) countVectors() (have, all int, err error) {
	texts := make([][]segment.ID, len(l.parts))
	for n, p := range l.parts {
		if texts[n], err = p.Texts(); err != nil {
			return 0, 0, err
		}
	}
	for _, at := range l.files() {
		p := l.parts[at.part]
		f := p.File(at.file)
		for c := f.Chunk; c < f.Chunk+f.N; c++ {
			if texts[at.part][c] == (segment.ID{}) {
				continue
			}
			all++
			if p.vectors != nil && p.vectors.Has(uint32(c)) {
				have++
			}
		}
	}
	return have, all, nil
}

// hit tells all of a chunk.
func (l *live) hit(part int, chunk uint32) (Hit, error) {
	p := l.parts[part]
	c, err := p.Chunk(chunk)
	f := l.pathOf(part, chunk)
	if err != nil || f == nil {
		return Hit{}, err
	}
	return Hit{
		Path: f.Path, Blob: f.OID, First: c.First, Last: c.Last, Kind: c.Kind, Name: c.Name, Container: c.Container,
		Signature: c.Signature, Doc: c.Doc, Language: p.File(p.FileOf(chunk)).Language,
	}, nil
}

// definition tells all of what a chunk defines, of which it may hold the beginning alone. ok
// is false of a later piece, and of a chunk that defines nothing.
func (l *live) definition(part int, chunk uint32) (h Hit, ok bool, err error) {
	begins, last := l.parts[part].Definition(chunk)
	if !begins {
		return h, false, nil
	}
	if h, err = l.hit(part, chunk); err == nil {
		h.Last = last
	}
	return h, h.Name != "", err
}
