package gitsage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// typedBelow are the files of gitstore and recall that name commands all the same, and why.
var typedBelow = map[string]string{
	"gitstore/sage/briefing/brief.go":    "a brief for an agent, which calls the tool or types the command",
	"gitstore/sage/briefing/fit.go":      "a brief says how to see what it left out",
	"recall/internal/opening/items.go":   "what a session is shown at its start says how to see the rest",
	"recall/internal/opening/news.go":    "what a session is shown at its start says how to see the rest",
	"recall/internal/opening/opening.go": "what a session is shown at its start says how to see the rest",
	"recall/internal/session/session.go": "a brief for an agent, which calls the tool or types the command",
	"recall/provenance/admit.go":         "what an agent is not shown says how a person sees it",
	"recall/search/recalled.go":          "a recalled text says how to see what it left out",
}

// TestHintsAreMadeAtTheEdge keeps commands out of gitstore and recall, which name a
// remedy: what is typed for it is said by internal/hint, and by the server for an agent.
func TestHintsAreMadeAtTheEdge(t *testing.T) {
	named := map[string]bool{}
	for _, root := range []string{"gitstore", "recall"} {
		for _, path := range goFiles(t, root) {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			path := filepath.ToSlash(path)
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, filepath.FromSlash(path), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				if spec.Path.Value == strconv.Quote(module+"internal/hint") {
					t.Errorf("%s imports internal/hint, which is for the edge", path)
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING || !strings.Contains(lit.Value, "git sage ") {
					return true
				}
				if named[path] = true; typedBelow[path] == "" {
					t.Errorf("%s names a command: return an error with a remedy, or a note", files.Position(lit.Pos()))
				}
				return true
			})
		}
	}
	for path := range typedBelow {
		if !named[path] {
			t.Errorf("%s names no command any more: take it out of the list", path)
		}
	}
}
