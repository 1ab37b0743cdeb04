package codeindex

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/view"
	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// Related tells what belongs with a file.
type Related struct {
	Path       string
	Commits    int // that changed it, of those that were read
	Companions []Companion
	Tests      []string // by their name, then those that call most of what it defines
	Docs       []string // that name it
}

// A Companion is a file that changes with another.
type Companion struct {
	Path    string
	Commits int     // that changed both
	Share   float64 // of those that changed the other
}

// Related finds what belongs with a file of the work tree: at most n of each kind. It reads
// commits that are new first. ok is false if there is no such file.
func (x *Index) Related(ctx context.Context, file string, n int) (r Related, ok bool, err error) {
	v, err := x.current(ctx, "")
	if err != nil {
		return r, false, err
	}
	byPath := map[string]*view.File{}
	for i := range v.Files {
		byPath[v.Files[i].Path] = &v.Files[i]
	}
	f := byPath[file]
	if f == nil {
		return r, false, nil
	}
	r.Path = file
	if err := x.ReadHistory(ctx, "", false); err != nil {
		return r, true, err
	}
	if past := x.past(ctx, "")(); past != nil {
		r.Commits = past.Changes(file)
		for _, c := range past.Companions(file) {
			if byPath[c.Path] != nil {
				r.Companions = append(r.Companions, Companion{c.Path, c.Commits, c.Share})
			}
		}
	}
	var docs []*view.File
	err = x.read(func(parts []*part) error {
		l := x.live(v)
		if r.Tests, err = l.testsOf(f); err != nil {
			return err
		}
		docs, err = l.docsWith(path.Base(file))
		return err
	})
	if err != nil {
		return r, true, err
	}
	name := nameIn(v, file)
	for _, d := range docs {
		if raw, err := x.content(v, d); err == nil && d.Path != file && names(raw, name) {
			r.Docs = append(r.Docs, d.Path)
		}
	}
	r.Companions, r.Tests, r.Docs = r.Companions[:min(n, len(r.Companions))], r.Tests[:min(n, len(r.Tests))], r.Docs[:min(n, len(r.Docs))]
	return r, true, nil
}

// testsOf are the files with tests that are named after a file, then those that call what it
// defines and no other file does.
func (l *live) testsOf(f *view.File) (out []string, err error) {
	if IsTest(f.Path) || isDoc(f.Path) {
		return nil, nil
	}
	calls := map[string]float64{}
	tested := map[string]bool{} // folders with a file of that name that is no test
	for i := range l.view.Files {
		if file := l.view.Files[i].Path; stemOf(file) == stemOf(f.Path) && !IsTest(file) && !isDoc(file) {
			tested[path.Dir(file)] = true
		}
	}
	for i := range l.view.Files {
		t := l.view.Files[i].Path
		switch {
		case !IsTest(t) || isDoc(t) || subject(t) != stemOf(f.Path):
		case path.Dir(t) == path.Dir(f.Path):
			calls[t] = math.Inf(1)
		case !tested[path.Dir(t)]: // else it is of the file beside it
			calls[t] = math.MaxFloat64
		}
	}
	for _, at := range l.list {
		if l.view.Files[l.at[at.part][at.file]].ID != f.ID {
			continue
		}
		for name := range l.definedBy(at) {
			for part, p := range l.parts {
				if err := p.Calling(name, func(c uint32, _ int) {
					if t := l.pathOf(part, c); t != nil && IsTest(t.Path) {
						calls[t.Path]++
					}
				}); err != nil {
					return nil, err
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(calls), func(a, b string) int { return cmp.Or(cmp.Compare(calls[b], calls[a]), cmp.Compare(a, b)) }), nil
}

// definedBy are the names that a file defines alone.
func (l *live) definedBy(file place) map[string]bool {
	out := map[string]bool{}
	f := l.parts[file.part].File(file.file)
	for c := f.Chunk; c < f.Chunk+f.N; c++ {
		if info, err := l.parts[file.part].Chunk(uint32(c)); err == nil && info.Name != "" && info.Part == 0 && !out[info.Name] && l.alone(info.Name, file) {
			out[info.Name] = true
		}
	}
	return out
}

// alone reports whether no other file defines a name.
func (l *live) alone(name string, file place) bool {
	for part, p := range l.parts {
		for _, c := range p.Defining(name) {
			if at := (place{part, p.FileOf(c)}); at != file && l.may(part, c) {
				return false
			}
		}
	}
	return true
}

// stemOf is the name of a file without its ending, in lower case.
func stemOf(file string) string {
	stem, _, _ := strings.Cut(strings.ToLower(path.Base(file)), ".")
	return stem
}

// subject is what a test is about by its name.
func subject(test string) string {
	stem := strings.TrimPrefix(stemOf(test), "test_")
	for _, mark := range []string{"_test", "-test", "_spec", "-spec", "tests", "test"} {
		if cut, ok := strings.CutSuffix(stem, mark); ok && cut != "" {
			return cut
		}
	}
	return stem
}

// docsWith are the documents that have all words of a name.
func (l *live) docsWith(name string) (out []*view.File, err error) {
	terms := words.Of(name)
	for part, p := range l.parts {
		has := map[int]int{}
		for k, t := range terms {
			if err := p.Postings(t, func(c uint32, _ segment.TF) {
				if file := p.FileOf(c); has[file] == k && l.may(part, c) {
					has[file]++
				}
			}); err != nil {
				return nil, err
			}
		}
		for file, n := range has {
			if f := &l.view.Files[l.at[part][file]]; n == len(terms) && isDoc(f.Path) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b *view.File) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// isDoc reports whether a file is written for people.
func isDoc(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".rst", ".adoc", ".txt", ".org":
		return true
	}
	return false
}

// nameIn is the shortest end of a path that no other file of a view has.
func nameIn(v *view.View, file string) string {
	at := len(file)
	for at > 0 {
		at = strings.LastIndexByte(file[:at], '/')
		end := file[at+1:]
		if !slices.ContainsFunc(v.Files, func(f view.File) bool {
			return f.Path != file && (f.Path == end || strings.HasSuffix(f.Path, "/"+end))
		}) {
			return end
		}
	}
	return file
}

// names reports whether a text has a path that ends with a name.
func names(text []byte, name string) bool {
	for {
		i := bytes.Index(text, []byte(name))
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !inName(text[i-1])) && (end == len(text) || !inName(text[end])) {
			return true
		}
		text = text[end:]
	}
}

// inName reports whether a byte would make another name of the one beside it.
func inName(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}
