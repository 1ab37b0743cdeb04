package mcp

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/mcp/internal/toolset"
	"github.com/git-sage/git-sage/recall"
)

// TestTemplatesTakeTheirOwnCall: a template is named in a call that has all that the
// schema has, and its own fields may stand beside those.
func TestTemplatesTakeTheirOwnCall(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener, Session: "s"})
	k.do("sage_save_checkpoint", map[string]any{"core_question": "Which cache?", "thesis": "ARC.", "confidence": 0.8, "template": "decision"}, "Saved ")
	k.do("sage_save_checkpoint", thought("We ship ARC.", "template", "decision", "decision", "ship ARC", "options", `["ARC","LRU"]`, "risks", []any{"memory", 7}), "Saved ")
	k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "@", "full": true}, "ship ARC", "- ARC\n- LRU", "memory")
	k.do("sage_save_checkpoint", thought("It reads well.", "template", "code-review", "files", []any{"a.go"}, "fields", map[string]any{"verdict": "approve"}), "Saved ")
	k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "@", "full": true}, "approve", "a.go")
	k.fail("sage_save_checkpoint", thought("x", "template", "decision", "optoins", "y"), `optoins: unknown argument; did you mean "options"?`)
	k.fail("sage_save_checkpoint", thought("x", "template", "nosuch", "verdict", "y"), "verdict: unknown argument")
	k.fail("sage_save_checkpoint", thought("x", "verdict", "y"), "verdict: unknown argument")

	m, err := opener(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	review := "name: review\nrequired_fields: [thesis, verdict]\nformat: '{{ verdict }}'\n"
	must(t, m.Store.Tree.WriteFiles(t.Context(), "template", map[string][]byte{"templates/review.yaml": []byte(review)}))
	m.Close()
	k.fail("sage_save_checkpoint", thought("x", "template", "review"), "template 'review' needs field 'verdict'. Give verdict as arguments beside the others.")
	k.do("sage_save_checkpoint", thought("x", "template", "review", "verdict", "good"), "Saved ")
}

// TestValuesAsModelsSendThem: what says nothing is not given, and what says something in
// another shape is understood.
func TestValuesAsModelsSendThem(t *testing.T) {
	dir, opener := repository(t)
	must(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\nfunc a() {}\n"), 0o644))
	k := open(t, Options{Open: opener, Session: "s"})
	k.do("sage_save_checkpoint", map[string]any{
		"core_question": "Which cache?", "thesis": "ARC", "confidence": "80%", "open_questions": "What of memory?\nWhat of 2Q, and 3Q?", "tensions": "a vs b: they differ",
		"sources": `["RFC 6749", {"id":"blog","type":"Document","take":"says so"}]`, "unique_contributions": "experiment: 7 types fail", "action_goal": "", "action_type": "",
		"token_estimate": "4,000", "message_count": "12.0", "code_refs": []any{map[string]any{"file": "a.go", "lines": []any{1, 3}}}, "files_explored": "a.go, b.go", "domain_data": "{}",
		"trigger": "Branch point", "line": nil, "continues": "", "auto_code_context": "yes", "template": "", "skill": "",
	}, "2 files explored", "1 code reference")
	c := checkpointAt(t, opener, "main")
	if len(c.OpenQuestions) != 2 || len(c.Sources) != 2 || c.Sources[0].ID != "RFC 6749" || len(c.Tensions) != 1 || len(c.Tensions[0].Between) != 2 ||
		c.UniqueContributions[0].Type != "experiment" || c.TokenEstimate != 4000 || c.MessageCount != 12 || c.CodeRefs[0].Lines != [2]int{1, 3} || *c.Confidence != 0.8 || len(c.FilesExplored) != 2 {
		t.Errorf("%+v", c)
	}
	for _, project := range []string{".", "./", dir, filepath.Join(dir, "sub"), filepath.Base(dir), ""} {
		k.do("sage_list_checkpoints", map[string]any{"project": project, "limit": "", "skill": nil}, "ARC")
		k.do("sage_list_core", map[string]any{"project": project}, "No file is marked")
	}
	k.do("sage_list_checkpoints", map[string]any{"project": "../elsewhere"}, "No checkpoint fits")
	k.do("sage_branch", map[string]any{"name": "other", "checkpoint_id": "", "switch": "off"}, "stays on main")
	k.do("sage_merge", map[string]any{"checkpoint_id": "other", "thesis": " ", "confidence": ""}, "nothing to merge")
}

func checkpointAt(t *testing.T, opener func(context.Context, string) (*recall.Memory, error), rev string) *sage.Checkpoint {
	t.Helper()
	m, err := opener(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	c, err := m.Store.Commits.Load(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// optionText is an option of the command line, which is none of a tool's.
var optionText = regexp.MustCompile(`(^|[\s('"` + "`" + `])--?[a-z][a-z-]*`)

// byPerson are command lines that a refusal may name: what they do is for a person to do.
var byPerson = []string{"git sage config set --project", "git sage checkpoint restore --removed"}

// TestRefusalsSpeakOfArguments walks all tools with arguments that are wrong, one at a
// time and all together, where there is something and where there is nothing: what they
// refuse they refuse in the words of the tools.
func TestRefusalsSpeakOfArguments(t *testing.T) {
	const mostTried = 5 // of bad, one at a time
	bad := []any{
		" ", "((", "[", "nosuch", "no such/thing", "--flag", "2026-99-99", "@{yesterday}", "", "a..b", "0", "-1", "99999999999999999999", strings.Repeat("x", 3000),
		-1, 1.5, true, nil, []any{}, []any{"(("}, []any{map[string]any{"a": 1}}, map[string]any{"x": "y"}, map[string]any{},
	}
	refused := 0
	for _, empty := range []bool{true, false} {
		_, opener := repository(t)
		k := open(t, Options{Open: opener, Session: "s"})
		if !empty {
			k.do("sage_save_knowledge", fact("known", "It is known.", "keywords", "known"))
			k.do("sage_save_checkpoint", thought("It is so."))
			k.do("sage_branch", map[string]any{"name": "other"})
			k.do("sage_save_checkpoint", thought("It is otherwise."))
		}
		check := func(name string, args map[string]any) {
			t.Helper()
			text, failed := k.call(name, args)
			for _, line := range byPerson {
				text = strings.ReplaceAll(text, line, "")
			}
			text = strings.NewReplacer("'--flag'", "", `"--flag"`, "").Replace(text) // what was given
			if found := optionText.FindString(text); failed && found != "" {
				t.Errorf("%s %v names %q:\n%s", name, args, found, text)
			}
			if failed {
				refused++
			}
		}
		good := map[string]any{
			"core_question": "q", "thesis": "t", "current_thesis": "t", "confidence": 0.5, "trigger_event": "manual", "query": "known", "name": "third", "from": "main", "to": "@",
			"checkpoint_id": "@", "knowledge_id": "known", "content": "c", "source_id": "known", "target_id": "known", "reason": "r", "todo_id": "known", "path": "a.go",
			"failure_id": "f", "approach": "a", "why_failed": "w", "learned": "l", "key": "recall_threshold", "value": "0.7",
		}
		for _, tool := range toolset.All() {
			base := map[string]any{}
			for _, p := range tool.Params {
				if v, ok := good[p.Name]; ok && p.Required {
					base[p.Name] = v
				}
			}
			check(tool.Name, nil)
			check(tool.Name, map[string]any{"nosuch": 1})
			for i, v := range bad {
				all := map[string]any{}
				for _, p := range tool.Params {
					all[p.Name] = v
					one := maps.Clone(base)
					one[p.Name] = v
					if text, ok := v.(string); ok && (i < mostTried && p.Required || p.Words == nil && text == "((") {
						check(tool.Name, one)
					}
				}
				check(tool.Name, all)
			}
		}
		if !empty { // a line that is closed, a checkpoint that is removed, and a merge that waits
			k.do("sage_branch", map[string]any{"name": "closing", "switch": false})
			m, err := opener(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			here, err := m.Store.Commits.Resolve(t.Context(), "other")
			if err == nil {
				_, err = m.Store.Checkpoints.Remove(t.Context(), []string{"other"})
			}
			if err == nil {
				err = m.Store.Lines.Delete(t.Context(), "closing")
			}
			if err != nil {
				t.Fatal(err)
			}
			m.Close()
			check("sage_load_checkpoint", map[string]any{"checkpoint_id": here})
			check("sage_branch", map[string]any{"name": "closing"})
			check("sage_merge", map[string]any{"checkpoint_id": here})
		}
		check("sage_save_checkpoint", thought("x", "template", "research"))
		check("sage_set_config", map[string]any{"key": "recall_threshold", "value": "0.5", "project_level": true})
	}
	if refused < 300 {
		t.Errorf("only %d calls were refused", refused)
	}
	if s := "give it with --field x, or `-m`"; len(optionText.FindAllString(s, -1)) != 2 {
		t.Error("flags are not found")
	}
}
