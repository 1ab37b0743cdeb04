package mcp

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
)

var savedID = regexp.MustCompile(`(?:Saved|as) ([0-9a-f]{8})`)

func idOf(t *testing.T, text string) string {
	t.Helper()
	m := savedID.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no id in %q", text)
	}
	return m[1]
}

func thought(thesis string, more ...any) map[string]any {
	args := map[string]any{"core_question": "Which payment provider?", "thesis": thesis, "confidence": 0.7}
	for i := 0; i < len(more); i += 2 {
		args[more[i].(string)] = more[i+1]
	}
	return args
}

// TestSaveOnAnotherLine: a save that names a line takes the session there, and says so.
func TestSaveOnAnotherLine(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener, Session: "one"})
	k.do("sage_save_checkpoint", thought("Stripe wins in the US."))
	k.do("sage_branch", map[string]any{"name": "square"})
	k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "main"})
	text := k.do("sage_save_checkpoint", thought("Square wins abroad.", "line", "square"), " on square: ", `This session is on line square now; sage_load_checkpoint(checkpoint_id: "main") goes back to main.`)
	if again := k.do("sage_save_checkpoint", thought("Square wins in Asia."), " on square: ", "It continues "+idOf(t, text)); strings.Contains(again, "goes back") {
		t.Errorf("it says so again:\n%s", again)
	}
	k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "main"})
	k.do("sage_save_checkpoint", thought("Stripe wins in Canada."), " on main: ")
}

func TestSaveAndLoad(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener, Session: "one"})
	k.do("sage_list_checkpoints", nil, "no checkpoint yet")
	k.do("sage_health", nil, "git-sage 1.2.3", "Line: main", "Ada <ada@example.org>", "save the first")
	first := k.do("sage_save_checkpoint", thought("Stripe wins in the US.",
		"sources", []any{map[string]any{"id": "docs", "type": "document", "take": "No escrow", "relation": "nuances"}},
		"files_explored", "a.go", "files_changed", []any{"b.go", "c.go"}, "code_refs", "a.go", "trigger", "constraint"),
		"Saved ", " on main: Stripe wins in the US", "first on its line", "1 file explored, 2 files changed, 1 code reference")
	second := k.do("sage_save_checkpoint", thought("Stripe wins everywhere."), "It continues "+idOf(t, first)+": Stripe wins in the US")
	k.do("sage_list_checkpoints", nil, idOf(t, first), idOf(t, second), "70%", "<sage-memory")
	k.do("sage_list_checkpoints", map[string]any{"limit": 1}, "skip: 1")
	k.do("sage_list_checkpoints", map[string]any{"search": "in the us"}, idOf(t, first))
	k.fail("sage_list_checkpoints", map[string]any{"search": strings.Repeat("x", 2001)}, "search: 2001 bytes")
	k.do("sage_list_checkpoints", map[string]any{"skill": "none"}, "No checkpoint fits")
	k.do("sage_search_checkpoints", map[string]any{"query": "Stripe everywhere"}, "<sage-memory", "%  "+idOf(t, second), "Stripe wins everywhere.", "confidence 70%", "sage_load_checkpoint")
	k.do("sage_search_checkpoints", map[string]any{"query": "plum cake"}, "No good match. The nearest, weak:", "Stripe wins")
	k.fail("sage_search_checkpoints", map[string]any{"query": " "}, "query: must not be empty")
	k.do("sage_diff", nil, idOf(t, first)+".."+idOf(t, second), "<sage-memory", "everywhere")
	k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": idOf(t, first)}, "<sage-memory", "Stripe wins in the US.", "as a fork")
	k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "main", "full": true}, "Stripe wins everywhere.", "on line main")
	k.do("sage_version", nil, "git-sage 1.2.3")
	k.do("sage_health", nil, "continue")

	k.fail("sage_load_checkpoint", map[string]any{"checkpoint_id": "ffffffff"}, "no such checkpoint", "sage_list_checkpoints(all: true) lists all checkpoints")
	k.fail("sage_archive_knowledge", map[string]any{"knowledge_id": "none"}, "no item 'none'", `sage_list_knowledge(status: "all") lists all items`)
	k.fail("sage_load_checkpoint", map[string]any{"checkpoint_id": "--upload-pack=x"}, "no such checkpoint")
	k.fail("sage_save_checkpoint", map[string]any{"confidence": "high"}, "confidence: must be a number", "thesis: is required")
	k.fail("sage_save_checkpoint", thought("x", "sources", []any{map[string]any{"type": "rumour"}}), "sources[0].type: must be one of person")
	k.fail("sage_save_checkpoint", thought("x", "template", "research"), "template 'research' needs field 'sources'")
	k.fail("sage_branch", map[string]any{"name": "../x"}, "bad name", "lower-case")
	k.fail("sage_merge", nil, "nothing to do")
	k.fail("sage_version", map[string]any{"verbose": true}, "unknown argument")
}

func TestSecretsAreTakenOutAndNamed(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener})
	secret := "ghp_" + strings.Repeat("aB3dE5gH7", 4)
	k.do("sage_save_checkpoint", thought("The token is "+secret), "Redacted before writing: ")
	if text := k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "@"}); strings.Contains(text, secret) {
		t.Error("the secret was saved")
	}
}

// TestSessionsAreToldOfEachOther: two sessions on one line fork, learn of it,
// and are merged with a synthesis.
func TestSessionsAreToldOfEachOther(t *testing.T) {
	_, opener := repository(t)
	a, b := open(t, Options{Open: opener, Session: "aaaa"}), open(t, Options{Open: opener, Session: "bbbb"})
	a.do("sage_save_checkpoint", thought("Cards."))
	b.do("sage_save_checkpoint", thought("Wallets."))
	forked := a.do("sage_save_checkpoint", thought("Cards only."), "FORKED", "sage_merge")
	fork := regexp.MustCompile(`main/[0-9a-z-]+`).FindString(forked)
	a.do("sage_health", nil, "Open fork "+fork, "merge the open forks")
	b.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "@"}, "Open fork "+fork, "Cards only.")
	unsettled := b.do("sage_merge", map[string]any{"checkpoint_id": fork}, "Merged "+fork, "NEEDS SYNTHESIS", "holds: Cards only.", "holds: Wallets.", "Merged fork")
	b.fail("sage_merge", nil, "thesis: is required")
	b.fail("sage_merge", map[string]any{"thesis": " "}, "thesis: is required")
	settled := b.do("sage_merge", map[string]any{"thesis": "Cards in shops, wallets online.", "confidence": 0.9, "key_evidence": []any{"shop survey"}}, "Settled as ")
	if idOf(t, unsettled) == idOf(t, settled) {
		t.Error("settling made nothing new")
	}
	a.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "main"}, "Cards in shops, wallets online.")
	if text := a.do("sage_list_checkpoints", nil); !strings.Contains(text, "merge: ") {
		t.Errorf("no merge in\n%s", text)
	}
}

func TestBranchAndReturn(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener})
	k.do("sage_save_checkpoint", thought("Stripe."))
	k.do("sage_branch", map[string]any{"name": "square"}, "Created line square at", "on it now", `"main"`)
	k.do("sage_save_checkpoint", thought("Square."), "on square: Square")
	k.fail("sage_branch", map[string]any{"name": "square"}, "already exists", "sage_load_checkpoint")
	k.do("sage_branch", map[string]any{"name": "adyen", "checkpoint_id": "main", "switch": false}, "stays on square")
	k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "main"}, "on line main")
	k.do("sage_save_checkpoint", thought("Stripe still."), "on main: ")
	k.do("sage_diff", map[string]any{"from": "square", "to": "main"}, "Square.", "Stripe still.")
	k.do("sage_merge", map[string]any{"checkpoint_id": "square", "thesis": "Stripe, Square in shops."}, "Merged square into main")
	k.do("sage_merge", map[string]any{"checkpoint_id": "square"}, "nothing to merge")
	k.do("sage_list_checkpoints", map[string]any{"all": true}, "adyen", "square")
}

// TestSavesKeepTheirOrder: saves that are sent at once make one chain, in the
// order in which they were sent.
func TestSavesKeepTheirOrder(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener})
	const n = 20
	go func() {
		for i := range n {
			fmt.Fprintf(k.In, `{"jsonrpc":"2.0","id":"s%d","method":"tools/call","params":{"name":"sage_save_checkpoint","arguments":{"core_question":"q","thesis":"t%d.","confidence":0.5}}}`+"\n", i, i)
			fmt.Fprintf(k.In, `{"jsonrpc":"2.0","id":"l%d","method":"tools/call","params":{"name":"sage_list_checkpoints"}}`+"\n", i)
		}
	}()
	for range 2 * n {
		if r := k.next(); r.Error != nil || r.Result["isError"] == true {
			t.Fatalf("%+v", r)
		}
	}
	list := k.do("sage_list_checkpoints", map[string]any{"limit": n})
	at := len(list)
	for i := range n {
		next := strings.Index(list, fmt.Sprintf("t%d [", i))
		if next < 0 {
			next = strings.Index(list, fmt.Sprintf("t%d. [", i))
		}
		if next < 0 || next > at {
			t.Fatalf("t%d is out of order:\n%s", i, list)
		}
		at = next
	}
}

// TestLongAnswersAreCut: whatever the text, the client takes the answer whole,
// and the fence around it is closed.
func TestLongAnswersAreCut(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener})
	for _, unit := range []string{"evidence of every kind ", "🙂", "<sage-memory ", "汉\n"} {
		long := strings.Repeat(unit, 200_000/len(unit))
		k.do("sage_save_checkpoint", thought("Long.", "reasoning_trace", long))
		text := k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "@", "full": true}, "cut here", "git sage show", "</sage-memory mark=")
		diff := k.do("sage_diff", nil)
		for _, s := range []string{text, diff} {
			if n := len(utf16.Encode([]rune(s))); n > 50_000 || strings.Contains(s, "\ufffd") {
				t.Errorf("%q: answer has %d characters", unit, n)
			}
		}
		if n := len(utf16.Encode([]rune(text))); n < 30_000 {
			t.Errorf("%q: only %d characters are left", unit, n)
		}
	}
}

// TestCodeContextIsOptional: a checkpoint says where the code stood, unless it
// must not.
func TestCodeContextIsOptional(t *testing.T) {
	dir, opener := repository(t)
	c := exec.Command("git", "commit", "-q", "--allow-empty", "-m", "code")
	c.Dir, c.Env = dir, env(t.TempDir())
	if c.Run() != nil {
		t.Fatal("cannot commit")
	}
	k := open(t, Options{Open: opener, Session: "s"})
	for given, want := range map[any]bool{nil: true, true: true, false: false, "false": false} {
		k.do("sage_save_checkpoint", thought("x", "auto_code_context", given))
		m, err := opener(context.Background(), "s")
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Store.Commits.Seen(context.Background())
		m.Store.Close()
		if err != nil || (r.Code.Commit != "") != want {
			t.Errorf("auto_code_context %v: code %+v, %v", given, r.Code, err)
		}
	}
}
