package salience

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
	"github.com/git-sage/git-sage/hooks/transcript"
)

const root = "/home/ada/shop"

// A talk writes a transcript as the client does, a second for each record.
type talk struct {
	t    *testing.T
	b    strings.Builder
	n    int
	when time.Time
}

func newTalk(t *testing.T) *talk {
	return &talk{t: t, when: time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC)}
}

func (k *talk) record(kind string, content any) {
	k.t.Helper()
	k.n++
	k.when = k.when.Add(time.Second)
	b, err := json.Marshal(map[string]any{
		"type": kind, "uuid": fmt.Sprintf("u-%d", k.n), "cwd": root, "sessionId": "s-1", "version": "2.1.329", "timestamp": k.when,
		"message": map[string]any{"id": fmt.Sprintf("m-%d", k.n), "model": "opus", "content": content, "usage": map[string]int{"input_tokens": 900, "output_tokens": 20}},
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.b.Write(append(b, '\n'))
}

func (k *talk) person(s string) { k.t.Helper(); k.record("user", s) }
func (k *talk) agent(s string) {
	k.t.Helper()
	k.record("assistant", []any{map[string]any{"type": "text", "text": s}})
}

func (k *talk) tool(name string, input map[string]any, failed string) {
	k.t.Helper()
	id := fmt.Sprintf("toolu_%d", k.n)
	k.record("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}})
	k.record("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": failed, "is_error": failed != ""}})
}

func (k *talk) digest() *transcript.Digest {
	k.t.Helper()
	file := filepath.Join(k.t.TempDir(), "s-1.jsonl")
	if err := os.WriteFile(file, []byte(k.b.String()), 0o600); err != nil {
		k.t.Fatal(err)
	}
	d := transcript.New(transcript.Options{Root: root})
	if err := d.Update(file); err != nil {
		k.t.Fatal(err)
	}
	return d
}

// research is a session that nobody saved.
func research(t *testing.T) *talk {
	k := newTalk(t)
	k.person("Why do our logins time out under load?")
	k.agent("Let me look at the session store.")
	k.tool("Bash", map[string]any{"command": "go test ./login"}, "Exit code 1\n--- FAIL: TestLogin: timeout after 2s")
	k.agent("The root cause is that tokens are checked against the primary database. We measured 340 ms per check at 200 rps.\n\n```go\nwe decided that code is no prose\n```")
	k.person("No, use the replica for reads, not the cache.")
	k.tool("Edit", map[string]any{"file_path": root + "/login/store.go", "old_string": "a", "new_string": "b"}, "")
	k.tool("Bash", map[string]any{"command": "go test ./login"}, "")
	k.agent("We decided to read tokens from the replica, since a stale token lives for 5 s at most. It is still unclear whether the replica lags at night.")
	return k
}

func TestCheckpointHoldsWhatWouldBeLost(t *testing.T) {
	c := Checkpoint(Session{Digest: research(t).digest()}, sage.Recovery)
	if c == nil {
		t.Fatal("nothing was kept")
	}
	if err := validate.Checkpoint(c); err != nil {
		t.Error(err)
	}
	if c.Trigger != sage.Recovery || c.Confidence != nil || c.CoreQuestion != "Why do our logins time out under load?" {
		t.Errorf("%+v", c)
	}
	if !strings.HasPrefix(c.Thesis, "We decided to read tokens from the replica") {
		t.Errorf("thesis %q", c.Thesis)
	}
	if !slices.Equal(c.FilesChanged, []string{"login/store.go"}) {
		t.Errorf("changed %v", c.FilesChanged)
	}
	text := string(codec.Marshal(c))
	for _, want := range []string{
		"The root cause is that tokens", "340 ms", "The user: No, use the replica", "Failed: go test ./login: --- FAIL: TestLogin: timeout after 2s; passes now, after a change of login/store.go",
		"still unclear whether the replica lags", "- Asked: Why do our logins",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	for _, unwanted := range []string{"Let me look", "code is no prose", "see it work"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%q is in it:\n%s", unwanted, text)
		}
	}
}

// TestNothingNewIsNothing: what was saved is not said again, and small talk is nothing.
func TestNothingNewIsNothing(t *testing.T) {
	k := research(t)
	saved := k.when
	if c := Checkpoint(Session{Digest: k.digest(), Since: saved}, sage.Recovery); c != nil {
		t.Errorf("all of it is saved: %+v", c)
	}
	k.person("Thanks! No problem with that.")
	k.agent("You are welcome. Saved it as checkpoint 3f2a.")
	before := Checkpoint(Session{Digest: research(t).digest()}, sage.Recovery)
	if c := Checkpoint(Session{Digest: k.digest(), Since: saved, Last: before}, sage.Recovery); c != nil {
		t.Errorf("small talk: %+v", c)
	}
	k.agent("We decided to read tokens from the replica, since a stale token lives for 5 s at most.")
	if c := Checkpoint(Session{Digest: k.digest(), Since: saved, Last: before}, sage.Recovery); c != nil {
		t.Errorf("it was said before: %+v", c.KeyEvidence)
	}
	k.agent("The cause of the nightly lag is the vacuum job, which we moved to 04:00.")
	c := Checkpoint(Session{Digest: k.digest(), Since: saved, Last: before}, sage.Recovery)
	if c == nil || !strings.Contains(c.Thesis, "vacuum job") || len(c.UniqueContributions) > 0 {
		t.Errorf("%+v", c)
	}
	if c := Checkpoint(Session{Digest: newTalk(t).digest()}, sage.SessionEnd); c != nil {
		t.Errorf("an empty session: %+v", c)
	}
}

// TestCutOffInTheMiddle: a session that was killed while it worked has no conclusion.
func TestCutOffInTheMiddle(t *testing.T) {
	k := newTalk(t)
	k.person("Rename the shop to store.")
	k.tool("Write", map[string]any{"file_path": root + "/store.go", "content": "x"}, "")
	k.tool("Bash", map[string]any{"command": "make test"}, "Exit code 2\nundefined: shop")
	c := Checkpoint(Session{Digest: k.digest()}, sage.Recovery)
	if c == nil || c.Thesis != "Changed store.go." {
		t.Fatalf("%+v", c)
	}
	want := []string{"Asked last, and not answered: Rename the shop to store.", "Still fails: make test: undefined: shop"}
	if !slices.Equal(c.OpenQuestions, want) {
		t.Errorf("open %q", c.OpenQuestions)
	}
}

// TestLaterCheckpointsKeepEarlierOnes: of two recoveries the second has both, and the
// end of a session does not take the place of what somebody thought.
func TestLaterCheckpointsKeepEarlierOnes(t *testing.T) {
	k := research(t)
	first := Checkpoint(Session{Digest: k.digest()}, sage.Recovery)
	since, sure := k.when, 0.8
	k.agent("The cause of the nightly lag is the vacuum job, which we moved to 04:00.")
	second := Checkpoint(Session{Digest: k.digest(), Since: since, Recovery: first}, sage.Recovery)
	if second.CoreQuestion != first.CoreQuestion || !slices.Contains(second.KeyEvidence, first.Thesis) || !strings.Contains(second.Thesis, "vacuum") {
		t.Errorf("%+v", second)
	}
	thought := &sage.Checkpoint{CoreQuestion: "Which store?", Thesis: "A replica will do.", Confidence: &sure, KeyEvidence: []string{"It lags 5 s."}, OpenQuestions: []string{"At night?"}}
	closing := Checkpoint(Session{Digest: k.digest(), Since: since, Last: thought}, sage.SessionEnd)
	if closing.Thesis != thought.Thesis || closing.Confidence == nil || closing.CoreQuestion != thought.CoreQuestion || closing.Trigger != sage.SessionEnd {
		t.Errorf("%+v", closing)
	}
	if !slices.Equal(closing.KeyEvidence, []string{second.Thesis, "It lags 5 s."}) || !slices.Contains(closing.OpenQuestions, "At night?") {
		t.Errorf("evidence %q, open %q", closing.KeyEvidence, closing.OpenQuestions)
	}
}

// TestRealTranscripts: those of the clients hold small talk alone, and nothing of it is
// worth a checkpoint but the files that were changed and one correction.
func TestRealTranscripts(t *testing.T) {
	files, err := filepath.Glob("../transcript/testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	for _, f := range files {
		d := transcript.New(transcript.Options{Root: root})
		if err := d.Update(f); err != nil {
			t.Fatal(err)
		}
		c := Checkpoint(Session{Digest: d}, sage.Recovery)
		if c != nil && (len(c.FilesChanged) == 0 && !slices.Equal(c.KeyEvidence, []string{"The user corrected: No, use the other file instead."}) || validate.Checkpoint(c) != nil) {
			t.Errorf("%s: %+v", f, c)
		}
		if c == nil && len(d.FilesChanged()) > 0 {
			t.Errorf("%s: changed %v, and nothing is kept", f, d.FilesChanged())
		}
	}
}

// FuzzCheckpoint: whatever was said, a checkpoint can be saved.
func FuzzCheckpoint(f *testing.F) {
	f.Add("Why?", "We decided to use Redis. It takes 5 ms.", "No, not that.")
	f.Add("\x00\xff", "**Decision:** \u202e stop ```", "")
	f.Fuzz(func(t *testing.T, ask, answer, correct string) {
		d := &transcript.Digest{Texts: []transcript.Text{{Text: ask, Person: true}, {Text: answer}, {Text: correct, Person: true}}}
		c := Checkpoint(Session{Digest: d}, sage.SessionEnd)
		if c == nil {
			return
		}
		if _, err := codec.Parse(codec.Marshal(c)); err != nil || len(c.KeyEvidence) > 2*mostPoints {
			t.Errorf("%v, %d points", err, len(c.KeyEvidence))
		}
	})
}

// TestADecisionIsTheThesis: whatever else is concluded behind it.
func TestADecisionIsTheThesis(t *testing.T) {
	k := newTalk(t)
	k.person("Which cache policy do we ship?")
	k.agent("I read both traces. Decision: we ship ARC instead of LRU, because it beats LRU by 9 points on a week of our traces. " +
		"The price is a ghost list whose memory use nobody has measured yet. So the conclusion is that ARC is the better policy for this service.")
	c := Checkpoint(Session{Digest: k.digest()}, sage.Recovery)
	if c == nil || c.Thesis != "we ship ARC instead of LRU, because it beats LRU by 9 points on a week of our traces." {
		t.Errorf("%+v", c)
	}
}
