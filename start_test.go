package gitsage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNothingIsCompiledAtStart keeps what compiles a pattern out of the start of the program,
// which every command and every hook waits for: 52 patterns took 1 ms of it. A pattern is a
// sync.OnceValue, compiled by who needs it first.
func TestNothingIsCompiledAtStart(t *testing.T) {
	for _, file := range goFiles(t, ".") {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.ToSlash(file), "cmd/internal/lab/") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range compiledAtStart(f) {
			t.Errorf("%s: %s is compiled when the program starts", file, name)
		}
	}
}

func TestCompilingAtStartIsSeen(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "a.go", `package a
var one = regexp.MustCompile("a")
var (
	two  = []form{{regexp.MustCompile("b"), 1}}
	late = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("c") })
)
func inside() { _ = regexp.MustCompile("d") }`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := compiledAtStart(f); !slices.Equal(got, []string{"one", "two"}) {
		t.Error(got)
	}
}

// compiledAtStart are the variables of a package that hold patterns which are compiled before
// main begins.
func compiledAtStart(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			ast.Inspect(v, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "MustCompile" {
					names = append(names, v.Names[0].Name)
				}
				_, later := n.(*ast.FuncLit)
				return !later
			})
		}
	}
	return names
}
