package gitsage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestArchitectureListsTheRooms compares the tables of rooms in ARCHITECTURE.md with the
// fields by which a Store and a Memory hand them out, in the same order.
func TestArchitectureListsTheRooms(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(text), "### Inside recall")
	inRecall, rest, _ := strings.Cut(tables, "### Inside gitstore")
	inGitstore, _, _ := strings.Cut(rest, "\n## ")

	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(inRecall, -1) {
		listed = append(listed, strings.ToUpper(row[1][:1])+row[1][1:]+" "+row[1])
	}
	if fields := roomFields(t, "recall/recall.go", "Memory"); !slices.Equal(listed, fields) {
		t.Errorf("the table of recall has\n%q, a Memory\n%q", listed, fields)
	}
	listed = nil
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `([^|]+)` \\|").FindAllStringSubmatch(inGitstore, -1) {
		for _, field := range strings.Split(row[2], "`, `") {
			listed = append(listed, field+" "+row[1])
		}
	}
	if fields := roomFields(t, "gitstore/open.go", "Store"); !slices.Equal(listed, fields) {
		t.Errorf("the table of gitstore has\n%q, a Store\n%q", listed, fields)
	}
}

// roomFields are the exported fields of a struct whose types are of packages below its own,
// each with the name of the package.
func roomFields(t *testing.T, file, name string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	below := map[string]bool{}
	for _, spec := range f.Imports {
		if imported, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(imported, module+path.Dir(file)+"/") {
			below[path.Base(imported)] = true
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != name {
			return true
		}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			pointer, _ := field.Type.(*ast.StarExpr)
			if pointer == nil {
				continue
			}
			of, _ := pointer.X.(*ast.SelectorExpr)
			if of == nil || len(field.Names) != 1 || !field.Names[0].IsExported() {
				continue
			}
			if room := of.X.(*ast.Ident).Name; below[room] {
				out = append(out, field.Names[0].Name+" "+room)
			}
		}
		return false
	})
	return out
}
