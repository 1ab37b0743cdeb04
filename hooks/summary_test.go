package hooks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/session"
)

const clientSaid = "<analysis>We went through it.</analysis>\n<summary>\n1. Logins time out at the replica. The key was AKIAIOSFODNN7EXAMPLQ.\n</summary>"

func said(summary string) map[string]any {
	return map[string]any{"trigger": "auto", "compact_summary": summary}
}

// What the client made of the conversation is in front of the session, so it is not brought
// back to it; what was saved is. Nothing is printed, since the client shows that.
func TestClientsSummaryIsNotRepeated(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	k.tell(PreCompact, auto)
	if out := k.tell(PostCompact, said(clientSaid)); out != "" {
		t.Errorf("printed %q", out)
	}
	if got := p.waiting(); len(got) != 1 || got[0] != "precompact-auto" {
		t.Errorf("waits: %q", got)
	}
	m, err := p.open(t.Context(), p.dir, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	c, err := m.Continuity.Claim(t.Context())
	if err != nil || c == nil {
		t.Fatal(c, err)
	}
	text, err := c.Bundle(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, replica) {
		t.Errorf("lacks %q:\n%s", replica, text)
	}
	for _, bad := range []string{"AKIAIOSFODNN7EXAMPLQ", "We went through it", "client's summary", "Logins time out at"} {
		if strings.Contains(text, bad) {
			t.Errorf("has %q:\n%s", bad, text)
		}
	}
	if got := p.looked(); !strings.Contains(got, "post-compact: looked for secrets in ") || !strings.Contains(got, "aws-access-key (1)") {
		t.Errorf("logged %q", got)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// A marker that was brought back stays so.
func TestClientsSummaryComesTooLate(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	k.tell(PreCompact, auto)
	k.tell(SessionStart, map[string]any{"source": "compact"})
	k.tell(PostCompact, said(clientSaid))
	if got := p.waiting(); len(got) != 0 {
		t.Errorf("waits: %q", got)
	}
}

// Where the end of the session saves what came after, it says what came before; what a
// save covers already is not told again.
func TestClientsSummaryIsRecovered(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?")
	k.tell(SessionStart, map[string]any{"source": "startup"})
	k.tell(PostCompact, said(clientSaid))
	k.agent(replica).tell(Closing, nil)
	c := p.newest("a")
	if want := "- The client's summary of what came before: 1. Logins time out at the replica."; c == nil || !strings.HasPrefix(c.ReasoningTrace, want) {
		t.Fatalf("saved %+v", c)
	}
	k.agent(vacuum).tell(Recovering, nil)
	if c := p.newest("a"); c == nil || c.Trigger != sage.Recovery || strings.Contains(c.ReasoningTrace, "client's summary") {
		t.Errorf("saved %+v", c)
	}
}

// Garbage is nothing, and what is long is cut.
func TestClientsSummaryIsBounded(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why?").agent(replica)
	for _, s := range []string{"", "  ", "<summary>", "<summary></summary>"} {
		k.tell(PostCompact, said(s))
	}
	k.tell(PostCompact, map[string]any{"compact_summary": "of a subagent", "agent_id": "x"})
	m, err := p.open(t.Context(), p.dir, "a")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if kept, _ := session.Of(m.Store).Summary(); kept != "" {
		t.Errorf("kept %s", kept)
	}
	k.tell(PreCompact, auto)
	k.tell(PostCompact, said(strings.Repeat("é", 1<<17)))
	if kept, _ := session.Of(m.Store).Summary(); len(kept) > session.MaxSummary || len(kept) < session.MaxSummary-4 {
		t.Errorf("kept %d bytes", len(kept))
	}
	list, err := m.Store.Session.Markers(false)
	if err != nil || len(list) != 1 || len(list[0].Summary) > session.MaxSummary {
		t.Errorf("%d markers, %v", len(list), err)
	}
}

// A session whose work tree goes with it is saved all the same.
func TestEndOfSessionInAWorktreeThatIsGone(t *testing.T) {
	p := newPlace(t)
	p.git("commit", "-q", "--allow-empty", "-m", "one")
	tree := filepath.Join(t.TempDir(), "tree")
	p.git("worktree", "add", "-q", tree)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	var event string
	var in []byte
	o := k.options(&strings.Builder{}, map[string]any{"session_id": "a", "cwd": tree, "transcript_path": k.file})
	o.Later = func(e string, b []byte) error { event, in = e, b; return nil }
	Run(t.Context(), o, SessionEnd)
	p.git("worktree", "remove", "--force", tree)
	o = k.options(&strings.Builder{}, json.RawMessage(in))
	Run(t.Context(), o, event)
	p.logs("a session_end: " + replica)
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// What waits in a work tree that is gone goes with the next mark.
func TestMarkOfAWorktreeThatIsGone(t *testing.T) {
	p := newPlace(t)
	p.git("commit", "-q", "--allow-empty", "-m", "one")
	tree := filepath.Join(t.TempDir(), "tree")
	p.git("worktree", "add", "-q", tree)
	for _, at := range []struct{ dir, session string }{{tree, ""}, {tree, "b"}, {p.dir, ""}} {
		m, err := p.open(t.Context(), at.dir, at.session)
		if err != nil {
			t.Fatal(err)
		}
		must(t, m.Store.Session.Mark(gitstore.Marker{Reason: fmt.Sprintf("of %q in %s", at.session, filepath.Base(at.dir))}))
		_ = m.Close()
	}
	p.git("worktree", "remove", "--force", tree)
	p.compacting("a")
	got := strings.Join(p.waiting(), "\n")
	if strings.Contains(got, `of "" in tree`) || !strings.Contains(got, `of "b" in tree`) || !strings.Contains(got, `of "" in `+filepath.Base(p.dir)) {
		t.Errorf("waits:\n%s", got)
	}
	if _, err := os.Stat(tree); err == nil {
		t.Error("the work tree is there")
	}
}

// The end of a session says what looking for secrets took, whatever was found.
func TestCostOfSecretsIsWrittenDown(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out? password=hunter2pass").agent(replica)
	k.tell(Stop, nil)
	if got := p.looked(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "stop: looked for secrets in ") || !strings.Contains(got, "took out: password (1)") || strings.Contains(got, "hunter2") {
		t.Errorf("logged %q", got)
	}
	k.tell(Stop, nil) // nothing new
	k.agent(vacuum).tell(Stop, nil)
	if got := p.looked(); strings.Count(got, "\n") != 1 {
		t.Errorf("logged %q", got)
	}
	k.agent(vacuum+" So it goes.").tell(Closing, nil)
	if got := p.looked(); !strings.Contains(got, "closing: looked for secrets in ") || !strings.HasSuffix(got, "took out: none\n") {
		t.Errorf("logged %q", got)
	}
}
