package gitsage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// notShown are packages below those that read a session's own conversation alone.
var notShown = []string{"hooks/distill", "hooks/salience"}

// What others wrote reaches an agent through the packages of shownTo. A function there that reads
// a text which may have been fetched has to call a gate of recall/provenance, or is named below
// with what keeps the text from an agent, or makes it the agent's own.
var shownTo = []string{"hooks", "mcp", "recall/prompts", "recall/references", "recall/internal/opening", "recall/internal/continuity", "recall/internal/session", "recall/internal/templates", "recall/internal/skills", "cmd/internal/cli/search", "cmd/internal/cli/ask", "cmd/internal/cli/team", "cmd/internal/cli/checkpoint", "cmd/internal/cli/line", "cmd/internal/cli/notes", "cmd/internal/history"}

// gates decide what may be shown: those of recall/provenance, and what goes through them.
var gates = []string{"Admit", "AdmitCheckpoint", "Admitted", "Said", "MayQuote", "Difference", "FoundCheckpoint"}

// texts are fields of a checkpoint or of its record that somebody elsewhere may have written.
var texts = []string{"Thesis", "CoreQuestion", "KeyEvidence", "OpenQuestions", "ReasoningTrace", "Question"}

// reads are calls that hand out items and core files as git has them.
var reads = []string{"Item", "ItemInPlace", "EveryItem", "CoreFiles", "CoreFile"}

// ungated lists the functions that read such a text without a gate, each with the reason.
var ungated = map[string]string{
	"cmd/internal/cli/checkpoint.bare":             "asks whether a draft of the caller says anything",
	"cmd/internal/cli/checkpoint.correct":          "compares what an editor gave back with what it was given",
	"cmd/internal/cli/checkpoint.draftOf":          "has a person correct a checkpoint in their editor",
	"cmd/internal/cli/checkpoint.hintLeft":         "asks which fields are empty",
	"cmd/internal/cli/checkpoint.itemsToExport":    "writes an export; a file for agents has confirmed items alone",
	"cmd/internal/cli/checkpoint.page.Thesis":      "is given what exportOne and exported admitted",
	"cmd/internal/cli/checkpoint.saysOther":        "compares",
	"cmd/internal/cli/line.giveThesis":             "hands over the thesis of the caller",
	"cmd/internal/cli/notes.conclusion":            "is given what references.Changes let through",
	"cmd/internal/cli/notes.headline":              "the same",
	"cmd/internal/cli/notes.write":                 "the same",
	"cmd/internal/history.FullEntry":               "is given a record that Admitted let through",
	"cmd/internal/history.lettersAt":               "the same",
	"hooks.open":                                   "is given what preCompact let through",
	"hooks.reason":                                 "quotes what was taken out of the session's own conversation",
	"hooks/autosave.thoughtOf":                     "copies what the session stands on, for a record that stays marked",
	"recall/internal/continuity.Restorer.failures": "searches with it",
	"recall/internal/opening.Opener.lacks":         "asks whether an item is there",
	"recall/internal/session.HoldsThought":         "asks whether there is a thesis",
	"recall/internal/session.Session.Survey":       "asks whether a synthesis is missing",
	"recall/prompts.Recaller.codeRefs":             "reads code references alone",
	"recall/prompts.Recaller.mention":              "takes the title that refsOf let through, else that of one which it admitted",
	"recall/prompts.bestStatement":                 "is given what conclusion let through",
	"recall/references.explainer.saved":            "looks for ids of commits in it",
	"recall/references.topics.add":                 "is given what Changes let through",
}

func TestFetchedTextsPassTheGate(t *testing.T) {
	found := map[string]bool{}
	for _, root := range shownTo {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if slices.Contains(notShown, filepath.ToSlash(name)) {
				return filepath.SkipDir
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				return err
			}
			for _, fn := range ungatedIn(f) {
				found[filepath.ToSlash(filepath.Dir(name))+"."+fn] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for fn := range found {
		if ungated[fn] == "" {
			t.Errorf("%s reads what others may have written and calls none of %s: an agent would be shown it unchecked", fn, strings.Join(gates, ", "))
		}
	}
	for fn := range ungated {
		if !found[fn] {
			t.Errorf("%s needs no exception any more", fn)
		}
	}
}

// ungatedIn are the functions of a file that read a text and call no gate.
func ungatedIn(f *ast.File) (names []string) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		shows, gated, written := false, false, map[ast.Node]bool{}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt: // a text that is written there, and not read
				for _, l := range n.Lhs {
					written[l] = true
				}
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok {
					of, _ := s.X.(*ast.SelectorExpr)
					gated = gated || slices.Contains(gates, s.Sel.Name)
					shows = shows || of != nil && of.Sel.Name == "Knowledge" && isStore(of.X) && slices.Contains(reads, s.Sel.Name)
				} else if id, ok := n.Fun.(*ast.Ident); ok {
					gated = gated || slices.Contains(gates, id.Name)
				}
			case *ast.SelectorExpr:
				shows = shows || !written[n] && slices.Contains(texts, n.Sel.Name)
			}
			return true
		})
		if shows && !gated {
			names = append(names, nameOf(fn))
		}
	}
	return names
}

// isStore reports whether an expression is a store, as m.Store is.
func isStore(x ast.Expr) bool {
	s, ok := x.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Store"
}

// nameOf is a function with the type that it is a method of.
func nameOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	of := fn.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if id, ok := of.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// A function that shows a text past the gate is noticed.
func TestTheGateIsMissed(t *testing.T) {
	for src, bypass := range map[string]bool{
		`package p; func show(c *C) string { return c.Thesis }`:                                               true,
		`package p; func show(m M, r R) string { return brief.Line(r.Question, 9) }`:                          true,
		`package p; func show(m M) { k, _ := m.Store.Knowledge.Item(ctx, "x"); print(k) }`:                    true,
		`package p; func show(r R) string { return provenance.Said(r.Own, r.Thesis) }`:                        false,
		`package p; func show(m M, c *C) string { return cmp.Or(m.Provenance.AdmitCheckpoint(c), c.Thesis) }`: false,
		`package p; func show(m M) { k, _ := m.Knowledge.Item(ctx, "x"); print(k) }`:                          false,
		`package p; func save(c *C) { c.Thesis = "mine" }`:                                                    false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(ungatedIn(f)) > 0; got != bypass {
			t.Errorf("%s: noticed is %v, want %v", src, got, bypass)
		}
	}
}
