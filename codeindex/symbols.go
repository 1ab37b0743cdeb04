package codeindex

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/codeindex/parse"
)

// A Symbol is what a name stands for.
type Symbol struct {
	Hit
	Exact   bool // it is written as the name that was asked for
	Callers []Caller
	Tests   []Caller
}

// A Caller is a line that calls a symbol.
type Caller struct {
	Path string
	Line int
	In   string // the definition around it
}

// mostCallers is how many are told of a symbol.
const mostCallers = 20

// Symbols finds definitions by their name in any capitals, those that are written alike first,
// else those whose names have all its parts. A name may say where it is: Type.method.
func (x *Index) Symbols(ctx context.Context, q Query) ([]Symbol, error) {
	v, err := x.current(ctx, q.Rev)
	if err != nil {
		return nil, err
	}
	changed, err := x.since(ctx, v, q)
	if err != nil {
		return nil, err
	}
	var out []Symbol
	err = x.read(func(parts []*part) error {
		whole := x.live(v)
		l := q.live(whole, changed)
		container, name := qualified(q.Text)
		found, err := l.defining(name, container, q.Kinds)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			if found, err = l.named(name, q.Kinds); err != nil {
				return err
			}
		}
		if n := cmp.Or(q.Limit, DefaultLimit); len(found) > n {
			found = found[:n]
		}
		calls := map[string][]call{}
		for i := range found {
			s := &found[i]
			if _, ok := calls[s.Name]; !ok {
				if calls[s.Name], err = whole.calls(s.Name); err != nil { // from other languages and folders, too
					return err
				}
			}
			if err := whole.addCallers(s, calls[s.Name]); err != nil {
				return err
			}
		}
		out = found
		return nil
	})
	return out, err
}

// qualified divides a name from what it is in.
func qualified(text string) (container, name string) {
	text = strings.TrimSuffix(strings.TrimSpace(text), "()")
	for _, sep := range []string{"::", "#", "->", "."} {
		if i := strings.LastIndex(text, sep); i > 0 && i+len(sep) < len(text) {
			return strings.ReplaceAll(text[:i], "::", "."), text[i+len(sep):]
		}
	}
	return "", text
}

// isIn reports whether a container is the one that was asked for, or ends with it; "" is any.
func isIn(container, asked string) bool {
	return asked == "" || container == asked || strings.HasSuffix(container, "."+asked)
}

// defining are the definitions of a name, those that are written alike first.
func (l *live) defining(name, container string, kinds []string) (out []Symbol, err error) {
	for part, p := range l.parts {
		for _, c := range p.Defining(name) {
			if !l.may(part, c) {
				continue
			}
			h, ok, err := l.definition(part, c)
			if err != nil {
				return nil, err
			}
			if !ok || !isIn(h.Container, container) || !kindOf(kinds, h.Kind) {
				continue
			}
			out = append(out, Symbol{Hit: h, Exact: h.Name == name})
			for _, i := range l.same[place{part, p.FileOf(c)}] {
				if h.Path = l.view.Files[i].Path; l.changed.Touch(h.Path, h.First, h.Last) {
					out = append(out, Symbol{Hit: h, Exact: h.Name == name})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(rankOf(&b), rankOf(&a)), cmp.Compare(a.Path, b.Path), cmp.Compare(a.First, b.First))
	})
	return out, nil
}

// rankOf orders definitions: as it is written, then code before tests, then what has more to
// say.
func rankOf(s *Symbol) (n int) {
	if s.Exact {
		n += 4
	}
	if !IsTest(s.Path) {
		n += 2
	}
	if s.Kind != "variable" && s.Kind != "constant" {
		n++
	}
	return n
}

func kindOf(kinds []string, kind string) bool {
	return len(kinds) == 0 || slices.Contains(kinds, kind)
}

// named are the definitions whose name has all parts of another, the shortest first.
func (l *live) named(name string, kinds []string) (out []Symbol, err error) {
	terms := words.Of(strings.Join(words.Parts(name), " "))
	if len(terms) == 0 {
		return nil, nil
	}
	for part, p := range l.parts {
		has := map[uint32]int{}
		for _, t := range terms {
			if err := p.Postings(t, func(c uint32, n segment.TF) {
				if n.Name > 0 && l.may(part, c) {
					has[c]++
				}
			}); err != nil {
				return nil, err
			}
		}
		for c, n := range has {
			if n < len(terms) {
				continue
			}
			h, ok, err := l.definition(part, c)
			if err != nil {
				return nil, err
			}
			if ok && kindOf(kinds, h.Kind) {
				out = append(out, Symbol{Hit: h})
			}
		}
	}
	slices.SortFunc(out, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(rankOf(&b), rankOf(&a)), cmp.Compare(a.Path, b.Path), cmp.Compare(a.First, b.First))
	})
	return slices.CompactFunc(out, func(a, b Symbol) bool {
		return a.Path == b.Path && a.Name == b.Name && a.Line == b.Line && a.First == b.First
	}), nil
}

// A call is a line of a chunk that calls a name.
type call struct {
	at
	path string
	line int
	test bool // it stands in one
}

// calls are those of a name, by path and line. Calls are known by the name alone: of two
// methods with one name each has the callers of both, see [mayCall].
func (l *live) calls(name string) (all []call, err error) {
	for part, p := range l.parts {
		if err := p.Calling(name, func(c uint32, line int) {
			if l.may(part, c) {
				path := l.pathOf(part, c).Path
				all = append(all, call{at{part, c}, path, line, IsTest(path)})
			}
		}); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b call) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line)) })
	return slices.Compact(all), nil
}

// addCallers adds who calls a symbol, from outside of it.
func (l *live) addCallers(s *Symbol, calls []call) error {
	for _, c := range calls {
		list := &s.Callers
		if c.test {
			list = &s.Tests
		}
		p := l.parts[c.part]
		first, last := p.Lines(c.chunk)
		around := c.path == s.Path && first <= s.First && last >= s.Last
		if around || len(*list) == mostCallers || !mayCall(p.File(p.FileOf(c.chunk)).Language, c.path, s) {
			continue
		}
		h, err := l.hit(c.part, c.chunk)
		if err != nil {
			return err
		}
		if c.path == s.Path && first >= s.First && last <= s.Last && h.FullName() == s.FullName() { // a piece of it
			continue
		}
		*list = append(*list, Caller{c.path, c.line, h.FullName()})
	}
	return nil
}

// families are languages that call each other.
var families = [][]string{
	{"c", "cpp", "objc", "assembly"}, {"java", "kotlin", "scala", "groovy", "clojure"}, {"javascript", "typescript", "tsx", "vue", "svelte", "html"},
	{"csharp", "fsharp", "visualbasic"}, {"swift", "objc", "c"}, {"elixir", "erlang"}, {"go", "assembly"},
}

// mayCall reports whether code of a language may mean a symbol by its name: of its own
// language or one that calls it, and of Go's own names what lies in the same folder.
func mayCall(language, file string, s *Symbol) bool {
	if language != s.Language {
		return slices.ContainsFunc(families, func(f []string) bool { return slices.Contains(f, language) && slices.Contains(f, s.Language) })
	}
	return language != "go" || ast.IsExported(s.Name) || path.Dir(file) == path.Dir(s.Path)
}

// IsTest reports whether a file holds tests, by its path.
func IsTest(file string) bool {
	low := "/" + strings.ToLower(file)
	base := low[strings.LastIndexByte(low, '/')+1:]
	for _, part := range []string{"/test/", "/tests/", "/testdata/", "/__tests__/", "/spec/", "/specs/", "/testing/"} {
		if strings.Contains(low, part) {
			return true
		}
	}
	stem, _, _ := strings.Cut(base, ".")
	return strings.HasPrefix(base, "test_") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") ||
		strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || strings.HasSuffix(stem, "test") && strings.HasSuffix(base, ".java")
}

// Source returns the lines of a hit, and what they call.
func (x *Index) Source(ctx context.Context, h Hit) (text string, callees []string, err error) {
	v, err := x.view(ctx, "")
	if err != nil {
		return "", nil, err
	}
	for i := range v.Files {
		if f := &v.Files[i]; f.Path == h.Path && f.OID == h.Blob {
			raw, err := x.content(v, f)
			if err != nil {
				return "", nil, err
			}
			return x.lines(ctx, raw, h)
		}
	}
	raw, err := x.o.Blob(h.Blob)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", h.Path, err)
	}
	return x.lines(ctx, raw, h)
}

func (x *Index) lines(ctx context.Context, raw []byte, h Hit) (text string, callees []string, err error) {
	text = linesOf(raw, h.First, h.Last)
	parser, err := x.parser()
	if err != nil {
		return text, nil, err
	}
	f, err := parser.Parse(ctx, parse.Detect(h.Path, raw), raw)
	if err != nil {
		return text, nil, ctx.Err() // what it calls is not known
	}
	for _, r := range f.References {
		if r.Line >= h.First && r.Line <= h.Last && !slices.Contains(callees, r.Name) {
			callees = append(callees, r.Name)
		}
	}
	return text, callees, nil
}

func linesOf(raw []byte, first, last int) string {
	all := strings.SplitAfter(string(raw), "\n")
	return strings.Join(all[min(first-1, len(all)):min(last, len(all))], "")
}

// History tells of the last n commits that changed the lines of a hit, a line each; none
// where git does not have the file as it is.
func (x *Index) History(ctx context.Context, h Hit, n int) (out []string, err error) {
	err = x.o.Git.Records(ctx, func(raw []byte) bool {
		if line := strings.TrimSpace(string(raw)); line != "" {
			out = append(out, line)
		}
		return true
	}, "-C", cmp.Or(x.o.Top, "."), "log", "-z", "-s", fmt.Sprintf("-n%d", n), "--format=%h %cs %s", fmt.Sprintf("-L%d,%d:%s", h.First, h.Last, h.Path))
	if err != nil {
		return nil, ctx.Err()
	}
	return out, nil
}

// Outline lists what the files below a path define, in their order.
func (x *Index) Outline(ctx context.Context, q Query) (out []Hit, err error) {
	v, err := x.current(ctx, q.Rev)
	if err != nil {
		return nil, err
	}
	err = x.read(func(parts []*part) error {
		l := q.live(x.live(v), nil)
		for _, at := range l.files() {
			f := l.parts[at.part].File(at.file)
			for c := f.Chunk; c < f.Chunk+f.N; c++ {
				h, ok, err := l.definition(at.part, uint32(c))
				if err != nil {
					return err
				}
				if ok && kindOf(q.Kinds, h.Kind) {
					out = append(out, h)
				}
			}
		}
		return nil
	})
	slices.SortStableFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.First, b.First), cmp.Compare(b.Last, a.Last))
	})
	return out, err
}
