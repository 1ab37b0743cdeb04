package gitsage_test

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A ringFinder type-checks packages to find out which of their files need each other.
type ringFinder struct {
	fset *token.FileSet
	read map[string]*types.Package // what was imported, by path
}

// rings is shared by the tests: what one imported the next need not read.
var rings = &ringFinder{fset: token.NewFileSet(), read: map[string]*types.Package{"unsafe": types.Unsafe}}

// goroot is where the standard library lies, which a test that was built with -trimpath does
// not know of itself.
var goroot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
})

// ringOf returns the largest ring among the files of a package that this system compiles, if
// it can have more than most.
func (r *ringFinder) ringOf(paths []string, most int) ([]string, error) {
	if len(paths) <= most {
		return nil, nil
	}
	files, err := r.parse(paths)
	return largestRing(r.usesOf(files)), err
}

// parse parses those of the files that this system compiles.
func (r *ringFinder) parse(paths []string) (files []*ast.File, err error) {
	for _, path := range paths {
		dir, name := filepath.Split(path)
		if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(r.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Import reads what a package of this module or of the standard library declares, from its
// source and without the bodies of functions. Any other stays unknown: nothing of ours comes
// out of it.
func (r *ringFinder) Import(path string) (*types.Package, error) {
	if p, ok := r.read[path]; ok {
		return p, nil
	}
	dir, ours := strings.CutPrefix(path, module)
	if host, _, _ := strings.Cut(path, "/"); !ours && strings.Contains(host, ".") {
		return nil, errors.New("not read")
	} else if !ours {
		root, err := goroot()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(root, "src", filepath.FromSlash(path))
	}
	found, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, name := range found.GoFiles {
		paths = append(paths, filepath.Join(dir, name))
	}
	files, err := r.parse(paths)
	if err != nil {
		return nil, err
	}
	conf := types.Config{Importer: r, IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {}}
	r.read[path], _ = conf.Check(path, r.fset, files, nil)
	return r.read[path], nil
}

// usesOf says for each file of a package which other files declare the functions, types,
// values and methods that it uses.
func (r *ringFinder) usesOf(files []*ast.File) map[string][]string {
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: r, FakeImportC: true, Error: func(error) {}}
	_, _ = conf.Check("p", r.fset, files, info) // its errors are about what was not read
	name := func(n ast.Node) string { return filepath.Base(r.fset.Position(n.Pos()).Filename) }
	declared := map[types.Object]string{}
	uses := map[string][]string{}
	for _, f := range files {
		uses[name(f)] = nil
		for _, id := range declares(f) {
			declared[info.Defs[id]] = name(f)
		}
	}
	for id, object := range info.Uses {
		if m, ok := object.(*types.Func); ok {
			object = m.Origin() // of a generic type
		}
		from, to := name(id), declared[object]
		if to != "" && to != from && !slices.Contains(uses[from], to) {
			uses[from] = append(uses[from], to)
		}
	}
	return uses
}

// declares are the names of package scope and the methods that a file declares.
func declares(f *ast.File) (ids []*ast.Ident) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			ids = append(ids, d.Name)
		case *ast.GenDecl:
			for _, sp := range d.Specs {
				switch sp := sp.(type) {
				case *ast.TypeSpec:
					ids = append(ids, sp.Name)
				case *ast.ValueSpec:
					ids = append(ids, sp.Names...)
				}
			}
		}
	}
	return ids
}

// largestRing is the largest set of files each of which uses all others of it, directly or
// through further ones. A file alone is none.
func largestRing(uses map[string][]string) (ring []string) {
	reach := reachOf(uses)
	for from := range uses {
		var all []string
		for to := range reach[from] {
			if reach[to][from] {
				all = append(all, to)
			}
		}
		if len(all) > len(ring) {
			ring = all
		}
	}
	slices.Sort(ring)
	return ring
}

// reachOf is what each file uses, directly or through others.
func reachOf(uses map[string][]string) map[string]map[string]bool {
	reach := map[string]map[string]bool{}
	for from := range uses {
		reach[from] = map[string]bool{}
		for todo := slices.Clone(uses[from]); len(todo) > 0; {
			at := todo[0]
			todo = todo[1:]
			if !reach[from][at] {
				reach[from][at] = true
				todo = append(todo, uses[at]...)
			}
		}
	}
	return reach
}

// TestChecksStandAlone makes sure that no check of fsck uses another: each exports one name,
// and the files that export none belong to one of them.
func TestChecksStandAlone(t *testing.T) {
	r := rings
	paths, err := filepath.Glob("gitstore/internal/verify/internal/checks/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.parse(paths)
	if err != nil {
		t.Fatal(err)
	}
	checks := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && exported(g) > 0 {
				checks[filepath.Base(r.fset.Position(f.Pos()).Filename)] = true
			}
		}
	}
	if len(checks) < 15 {
		t.Errorf("only %d checks were found", len(checks))
	}
	for from, all := range reachOf(r.usesOf(files)) {
		for to := range all {
			if checks[from] && checks[to] && from != to {
				t.Errorf("the check in %s uses the one in %s", from, to)
			}
		}
	}
}

// TestRingsAreSeen makes sure that the rule can fail: of these files a, b and c need each
// other through a function, a method of a generic type and a constant; d needs them and is
// needed by none.
func TestRingsAreSeen(t *testing.T) {
	r := rings
	var files []*ast.File
	for name, text := range map[string]string{
		"a.go": "import \"slices\"\n\ntype List[T any] []T\n\nfunc A() int { return slices.Clone(List[int]{1}).Len() }",
		"b.go": "func (l List[T]) Len() int { return len(l) + C }",
		"c.go": "const C = 1\n\nvar _ = A()",
		"d.go": "func D() int { return A() + C }",
	} {
		f, err := parser.ParseFile(r.fset, name, "package p\n\n"+text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if got := strings.Join(largestRing(r.usesOf(files)), " "); got != "a.go b.go c.go" {
		t.Errorf("the largest ring is %q", got)
	}
	if got := largestRing(map[string][]string{"a": {"b"}, "b": {"c"}, "c": nil}); len(got) > 0 {
		t.Errorf("a row has the ring %q", got)
	}
}
