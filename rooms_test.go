package gitsage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A roomSize is what a reader of a package has to keep in mind.
type roomSize struct {
	lines   int // of Go without tests
	names   int // exported, of the package's scope
	methods int // of the type that has most
	files   int // of the largest ring: files that all need each other
}

// mostOf bounds it. A package that needs more says how much and why, in a sentence of its
// comment that begins with "Size:", such as
//
//	Size: 3300 lines, 110 methods, for each check is a method of the one pass.
var mostOf = roomSize{lines: 3000, names: 25, methods: 40, files: 15}

func TestRoomsAreSmall(t *testing.T) {
	seen := 0
	for dir, files := range rooms(t) {
		if dir == "." || strings.HasPrefix(dir, "cmd/internal/lab") {
			continue
		}
		seen++
		have, doc := sizeOf(t, files)
		ring, err := rings.ringOf(files, mostOf.files)
		if err != nil {
			t.Fatal(err)
		}
		have.files = len(ring)
		may, said := allowed(doc)
		for _, x := range []struct {
			what            string
			have, may, most int
		}{
			{"lines", have.lines, may.lines, mostOf.lines},
			{"names", have.names, may.names, mostOf.names},
			{"methods", have.methods, may.methods, mostOf.methods},
			{"files in a ring", have.files, may.files, mostOf.files},
		} {
			if x.have > max(x.may, x.most) {
				t.Errorf("%s has %d %s: at most %d, or a sentence in its comment that says why (Size: ...)", dir, x.have, x.what, max(x.may, x.most))
			}
			if x.may > 0 && x.have <= x.most {
				t.Errorf("%s asks for %d %s and has %d: take that out of its comment", dir, x.may, x.what, x.have)
			}
		}
		if said && may == (roomSize{}) {
			t.Errorf("%s: what its comment says of its size has no number", dir)
		}
	}
	if seen < 40 {
		t.Errorf("only %d packages were looked at", seen)
	}
}

// allowed is what the comment of a package asks for.
func allowed(doc string) (may roomSize, said bool) {
	_, sentence, said := strings.Cut(doc, "\nSize: ")
	sentence, _, _ = strings.Cut(sentence, "\n\n")
	for _, m := range regexp.MustCompile(`(\d+) (lines|names|methods|files)`).FindAllStringSubmatch(sentence, -1) {
		n, _ := strconv.Atoi(m[1])
		switch m[2] {
		case "lines":
			may.lines = n
		case "names":
			may.names = n
		case "files":
			may.files = n
		default:
			may.methods = n
		}
	}
	return may, said
}

// rooms are the Go files of each folder without tests.
func rooms(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, path := range goFiles(t, ".") {
		if dir := filepath.ToSlash(filepath.Dir(path)); !strings.HasSuffix(path, "_test.go") {
			out[dir] = append(out[dir], path)
		}
	}
	return out
}

func sizeOf(t *testing.T, files []string) (s roomSize, doc string) {
	t.Helper()
	methods := map[string]int{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s.lines += strings.Count(string(b), "\n")
		f, err := parser.ParseFile(token.NewFileSet(), file, b, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			doc += "\n" + f.Doc.Text()
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					methods[receiver(d.Recv.List[0].Type)]++
				} else if d.Name.IsExported() {
					s.names++
				}
			case *ast.GenDecl:
				s.names += exported(d)
			}
		}
	}
	for _, n := range methods {
		s.methods = max(s.methods, n)
	}
	return s, doc
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func exported(d *ast.GenDecl) (n int) {
	for _, sp := range d.Specs {
		switch sp := sp.(type) {
		case *ast.TypeSpec:
			if sp.Name.IsExported() {
				n++
			}
		case *ast.ValueSpec:
			for _, id := range sp.Names {
				if id.IsExported() {
					n++
				}
			}
		}
	}
	return n
}
