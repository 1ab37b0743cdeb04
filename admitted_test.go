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

// notShown are packages below those that read a session's own conversation alone, or are run by
// whoever works on git-sage.
var notShown = []string{"hooks/distill", "hooks/salience", "cmd/internal/lab"}

// What others wrote reaches an agent through the packages of shownTo. A function there that reads
// a text which may have been fetched has to call a gate of recall/provenance, or is named below
// with what keeps the text from an agent, or makes it the agent's own.
var shownTo = []string{"hooks", "mcp", "recall/prompts", "recall/references", "recall/internal/opening", "recall/internal/continuity", "recall/internal/session", "recall/internal/templates", "recall/internal/skills", "cmd/internal"}

// gates decide what may be shown: those of recall/provenance, and what goes through them.
var gates = []string{"Admit", "AdmitCheckpoint", "Admitted", "Said", "MayQuote", "Difference", "FoundCheckpoint", "AdmitWhole", "AdmittedText", "AdmittedStatus", "AdmittedLine", "WithholdsCore", "notedCommits", "withoutWithheld"}

// texts are fields of a checkpoint or of its record that somebody elsewhere may have written.
var texts = []string{"Thesis", "CoreQuestion", "KeyEvidence", "OpenQuestions", "ReasoningTrace", "Question"}

// reads are calls that hand out items and core files as git has them.
var reads = []string{"Item", "ItemInPlace", "EveryItem", "CoreFiles", "CoreFile"}

// forms are functions that put what they are given into another form: whoever calls one reads it.
var forms = []string{"RecordOf", "CheckpointOf", "ActivityOf", "NotedCommitOf", "StatusOf", "FullEntry", "FromCheckpoint"}

// ungated lists the functions that read such a text without a gate, each with the reason.
var ungated = map[string]string{
	"cmd/internal/cli/checkpoint.bare":                "asks of a draft of the caller whether it is a thesis alone",
	"cmd/internal/cli/export.checkpointJSON":          "is given what exportOne and exported admitted",
	"cmd/internal/cli/checkpoint.correct":             "compares a draft, of what Edit admitted whole, with one word",
	"cmd/internal/cli/checkpoint.draftOf":             "reads what the caller wrote, of which a thesis may be missing",
	"cmd/internal/cli/checkpoint.hintLeft":            "names fields that a checkpoint filled, and says none",
	"cmd/internal/cli/export.page.Thesis":             "is given what exportOne and exported admitted",
	"cmd/internal/cli/checkpoint.saysOther":           "compares two drafts of what Edit admitted whole",
	"cmd/internal/cli/checkpoint.showTombstone":       "is given a record that Show admitted",
	"cmd/internal/cli/health.standing.object":         "takes the status that look admitted",
	"cmd/internal/cli/importing.importer.tell":        "says what it read in the person's own files",
	"cmd/internal/cli/importing.importer.tellRead":    "says what it read in the person's own files",
	"cmd/internal/cli/importing.itemsHere":            "compares with what it reads in the person's own files, and names ids alone",
	"cmd/internal/cli/knowledge.sayMarked":            "tells of a file whose summary the caller just gave",
	"cmd/internal/cli/line.giveThesis":                "hands over the thesis of the caller",
	"cmd/internal/cli/notes.conclusion":               "is given what references.Changes let through",
	"cmd/internal/cli/notes.headline":                 "is given what references.Changes let through",
	"cmd/internal/cli/notes.write":                    "is given what references.Changes let through",
	"cmd/internal/cli/review.confirmCore":             "runs for a person alone: an agent cannot confirm",
	"cmd/internal/cli/review.reviewer.show":           "asks a person, who reads all; the list is as Waiting admitted it",
	"cmd/internal/cli/review.reviewer.showCheckpoint": "asks a person, who reads all",
	"cmd/internal/cli/team.opposingText":              "is given what Opposing admitted",
	"cmd/internal/draft.isEmpty":                      "asks of a draft of the caller whether it says anything",
	"cmd/internal/draft.withPlaces":                   "adds headings to a draft that the caller writes or Edit admitted whole",
	"cmd/internal/exit.Hints":                         "asks in which field of a draft of the caller the error is",
	"cmd/internal/history.Acts":                       "takes records of RecordsOf and changes of ActsSince, which admit them",
	"cmd/internal/history.Loaded.Object":              "asks what Load found, and hands out nothing that is withheld",
	"cmd/internal/page/onefile.differenceOf":          "is given what exportFile let through",
	"cmd/internal/history.PrintRecords":               "is given records that Admitted let through",
	"cmd/internal/history.entryFormat":                "is given records that Admitted let through",
	"cmd/internal/history.field":                      "is given a record that Admitted let through",
	"cmd/internal/history.lettersAt":                  "is given a record that Admitted let through",
	"cmd/internal/item.missingRemoved":                "asks whether a path is a core file",
	"cmd/internal/page/internal/api.API.merge":        "takes the thesis that the caller gives",
	"cmd/internal/wire.ChangesOf":                     "is given what references.Changes let through",
	"cmd/internal/wire.Matcher.Conclusion":            "has the title, which an agent may have, or that it is withheld",
	"cmd/internal/wire.WaitingOf":                     "is given what Waiting and Opposing admitted",
	"cmd/internal/wire.WaitingTitle":                  "is given what Waiting admitted",
	"hooks.open":                                      "is given what preCompact admitted whole",
	"hooks.reason":                                    "quotes what was taken out of the session's own conversation",
	"hooks/autosave.thoughtOf":                        "copies into a record that came from elsewhere as well, and is admitted as such when shown",
	"recall/internal/continuity.Restorer.failures":    "searches with it: what it finds is admitted by RecallOf",
	"recall/internal/opening.Opener.lacks":            "asks whether there is an item of that id",
	"recall/internal/session.HoldsThought":            "asks whether there is a thesis",
	"recall/prompts.Recaller.codeRefs":                "compares code references with the files, and says none",
	"recall/prompts.bestStatement":                    "is given what conclusion let through",
	"recall/references.explainer.saved":               "looks for ids of commits in it, and ties none of its words",
	"recall/references.topics.add":                    "is given what Changes let through",
	"cmd/internal/history.Rewordings":                 "is given what Compare or exportFile let through",
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
		if !ok || fn.Body == nil || slices.Contains(forms, fn.Name.Name) {
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
					shows = shows || slices.Contains(forms, s.Sel.Name) || of != nil && of.Sel.Name == "Knowledge" && isStore(of.X) && slices.Contains(reads, s.Sel.Name)
				} else if id, ok := n.Fun.(*ast.Ident); ok {
					gated = gated || slices.Contains(gates, id.Name)
					shows = shows || slices.Contains(forms, id.Name)
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
