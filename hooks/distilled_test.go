package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/converse"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/distill"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
)

// A scribe is an endpoint that answers as it is told, and what it was given.
type scribe struct {
	*httptest.Server
	answer map[string]any
	status int
	tokens int // a day
	asked  []string

	meanwhile func() // what happens while it writes; may be nil
}

func newScribe(t *testing.T) *scribe {
	s := &scribe{answer: map[string]any{}, tokens: 100_000}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		s.asked = append(s.asked, string(b))
		if s.meanwhile != nil {
			s.meanwhile()
		}
		if s.status != 0 {
			http.Error(w, "not now", s.status)
			return
		}
		whole := map[string]any{"question": distill.Claim{}, "thesis": distill.Claim{}}
		for _, key := range []string{"evidence", "decisions", "failures", "open", "facts"} {
			whole[key] = []any{}
		}
		for key, v := range s.answer {
			whole[key] = v
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model": "scribe-1", "content": []any{map[string]any{"type": "tool_use", "input": whole}}, "usage": map[string]any{"input_tokens": 500, "output_tokens": 50},
		})
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *scribe) settings(*recall.Memory) autosave.Settings {
	return autosave.Settings{Distill: distill.Settings{Target: s.URL + "/v1/messages", Tokens: s.tokens}}
}

// tells lets the client tell of an event, where a scribe writes the records at once.
func (k *chat) tells(s *scribe, event string, more map[string]any) {
	k.t.Helper()
	in := map[string]any{"session_id": k.session, "cwd": k.dir, "transcript_path": k.file}
	for key, v := range more {
		in[key] = v
	}
	o := k.options(io.Discard, in)
	o.Settings, o.Within = s.settings, time.Minute
	if status := Run(context.Background(), o, event); status != 0 {
		k.t.Errorf("%s: status %d", event, status)
	}
}

// waits are how many conversations wait, and what went wrong last.
func (p *place) waits() (n int, why string) {
	q := distill.QueueOf(filepath.Join(p.dir, ".git", "sage"), func() time.Time { return p.now })
	if t := q.Trouble(); t != nil {
		why = t.Why
	}
	return len(q.All()), why
}

const (
	lag     = "The replica lags by 40 seconds at night, since the backup holds its locks then, and so every login between 02:00 and 03:00 UTC reads an old token."
	pointed = "It reads from the primary at night."
)

// talked is a session with enough said to ask a model about.
func (p *place) talked(session string) *chat {
	return p.chat(session).person("Why do logins time out at night? We looked at this for two days and nobody in the team could say what is going on there.").
		agent(lag + " " + strings.Repeat("I read through the logs of the database, hour by hour, to make sure of that. ", 4)).
		agent("We decided to read tokens from the primary between 02:00 and 03:00.")
}

func (s *scribe) well() {
	s.answer = map[string]any{
		"question":  distill.Claim{Text: "Why do logins time out at night?", Quote: "Why do logins time out at night?"},
		"thesis":    distill.Claim{Text: "Tokens are read from the primary between 02:00 and 03:00.", Quote: "We decided to read tokens from the primary between 02:00 and 03:00."},
		"decisions": []distill.Claim{{Text: "The tokens move to Redis.", Quote: "We agreed to move the tokens to Redis."}},
		"facts":     []distill.Claim{{Text: "The replica lags by 40 seconds at night, since the backup holds its locks.", Quote: lag[:len(lag)-1], When: []string{"logins fail at night", "a read returns old data"}}},
	}
}

// newest is the newest checkpoint.
func (p *place) latest() *sage.Checkpoint {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, "")
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Close()
	list, err := m.Store.Commits.Log(context.Background(), gitstore.Query{Max: 1})
	if err != nil || len(list) == 0 {
		p.t.Fatal(list, err)
	}
	c, err := m.Store.Commits.Load(context.Background(), list[0].ID)
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

// The record by rules is there at once, and that of the model behind it; facts are items
// for which nobody stands until somebody says so. What was not said is in neither.
func TestModelWritesTheRecord(t *testing.T) {
	p, s := newPlace(t), newScribe(t)
	s.well()
	k := p.talked("a")
	k.tells(s, SessionEnd, nil)
	list := p.log()
	if len(list) != 2 || list[0] != "a session_end: Tokens are read from the primary between 02:00 and 03:00." || !strings.HasPrefix(list[1], "a session_end: ") {
		t.Fatalf("saved:\n%s", strings.Join(list, "\n"))
	}
	c := p.latest()
	if c.CoreQuestion != "Why do logins time out at night?" || !strings.HasPrefix(c.ReasoningTrace, "Written by a model (scribe-1; 500 tokens in, 50 out)") || !sage.IsDistilled(c.Extra) || strings.Contains(fmt.Sprint(c), "Redis") {
		t.Errorf("%+v", c)
	}
	m, err := p.open(t.Context(), p.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	items, err := m.Knowledge.Items(t.Context(), recall.ItemQuery{})
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	if got := m.Provenance.Trust(t.Context(), items[0]); got != "written by a model, unconfirmed" {
		t.Errorf("trusted: %q", got)
	}
	if by, _ := provenance.Author(m.Provenance.Foreign(t.Context(), items)[items[0].Key]); by != "by a model" {
		t.Errorf("of %q", by)
	}
	if _, _, err := m.Write.Confirm(t.Context(), []string{items[0].Item.ID}); err != nil && !strings.Contains(err.Error(), "person") {
		t.Error(err)
	}
	if got := contextOf(t, p.run(SessionStart, "next", "startup")); !strings.Contains(got, "[written by a model, unconfirmed]") {
		t.Errorf("the next session is shown:\n%s", got)
	}
	k.tells(s, SessionEnd, nil) // nothing was said since
	if len(s.asked) != 1 || len(p.log()) != 2 {
		t.Errorf("asked %d times, saved:\n%s", len(s.asked), strings.Join(p.log(), "\n"))
	}
	if n, why := p.waits(); n > 0 || why != "" {
		t.Errorf("%d wait: %s", n, why)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// Whatever a model does, the record by rules is there.
func TestRulesRemainBehindAModelThatFails(t *testing.T) {
	for what, spoil := range map[string]func(*scribe){
		"lies": func(s *scribe) {
			s.answer["decisions"] = []distill.Claim{{Text: "Use Redis.", Quote: "We agreed to use Redis."}}
		},
		"is busy":    func(s *scribe) { s.status = 429 },
		"is refused": func(s *scribe) { s.status = 401 },
		"is broken":  func(s *scribe) { s.answer["evidence"] = "all" },
	} {
		p, s := newPlace(t), newScribe(t)
		spoil(s)
		p.talked("a").tells(s, SessionEnd, nil)
		if list := p.log(); len(list) != 1 || !strings.Contains(list[0], "We decided to read tokens from the primary") && !strings.Contains(list[0], "ead tokens from the primary") {
			t.Errorf("%s: saved:\n%s", what, strings.Join(list, "\n"))
		}
		n, why := p.waits()
		if (n == 0) != (what == "lies") || why == "" || len(s.asked) != 1 {
			t.Errorf("%s: %d wait, %q, asked %d times", what, n, why, len(s.asked))
		}
		b := distill.Budget{Home: p.home, Tokens: s.tokens, Now: func() time.Time { return p.now }}
		if spent := b.Spent(); (spent == 0) != (s.status != 0) {
			t.Errorf("%s: %d tokens are counted", what, spent)
		}
	}
}

// What waits is distilled later, by whatever session begins then. Where that one saved
// something the record is a recovery beside it, and no fork.
func TestWhatWaitsIsDistilledLater(t *testing.T) {
	p, s := newPlace(t), newScribe(t)
	s.status = 529
	p.talked("a").tells(s, SessionEnd, nil)
	s.status = 0
	s.well()
	b := p.chat("b").person("Something else.")
	b.tells(s, SessionStart, map[string]any{"source": "startup"})
	if n, _ := p.waits(); n != 1 || len(s.asked) != 1 {
		t.Errorf("%d wait, asked %d times", n, len(s.asked))
	}
	p.save("b", sage.Checkpoint{Thesis: "Thought of b."})
	p.now = p.now.Add(time.Hour)
	b.tells(s, SessionStart, map[string]any{"source": "resume"})
	list := p.log()
	if len(list) != 3 || list[0] != "a recovery: Tokens are read from the primary between 02:00 and 03:00." || list[1] != "b manual: Thought of b." {
		t.Errorf("saved:\n%s", strings.Join(list, "\n"))
	}
	if n, why := p.waits(); n != 0 || why != "" {
		t.Errorf("%d wait, %s", n, why)
	}
	m, err := p.open(t.Context(), p.dir, "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if st, err := m.Store.Status(t.Context()); err != nil || len(st.Forks) > 0 {
		t.Errorf("%v, %v", st.Forks, err)
	}
}

// What somebody thought stays in front, and of what was said before only rules read.
func TestModelAddsToWhatWasThought(t *testing.T) {
	p, s := newPlace(t), newScribe(t)
	k := p.chat("a").person("Which store do we take? " + strings.Repeat("It has to hold some 40 GB of tokens, for ten years. ", 20))
	p.save("a", sage.Checkpoint{CoreQuestion: "Which store?", Thesis: "Postgres will do."})
	k = k.record("user", "Why do logins time out at night? Nobody in the team could say.").agent(lag + " " + strings.Repeat("I read through the logs of the database, hour by hour. ", 6)).
		agent("We decided to read tokens from the primary between 02:00 and 03:00.")
	s.well()
	k.tells(s, SessionEnd, nil)
	c := p.latest()
	if c.Thesis != "Postgres will do." || c.CoreQuestion != "Which store?" || !strings.Contains(strings.Join(c.KeyEvidence, "\n"), "Tokens are read from the primary between 02:00 and 03:00.") {
		t.Errorf("%+v", c)
	}
	if len(s.asked) != 1 || strings.Contains(s.asked[0], "for ten years") || !strings.Contains(s.asked[0], "hour by hour") {
		t.Errorf("asked %d times: %.300s", len(s.asked), strings.Join(s.asked, ""))
	}
}

// A compaction has what came before it distilled, and the end of the session the rest.
func TestCompactionsAreDistilled(t *testing.T) {
	p, s := newPlace(t), newScribe(t)
	s.well()
	k := p.talked("a")
	k.tells(s, PreCompact, auto)
	s.answer = map[string]any{"thesis": distill.Claim{Text: vacuum, Quote: vacuum}}
	k.person("And the rest? "+strings.Repeat("There must be something else that slows it down in the afternoon. ", 7)).agent(vacuum).tells(s, SessionEnd, nil)
	if len(s.asked) != 2 || strings.Contains(s.asked[1], "hour by hour") || !strings.Contains(s.asked[1], "in the afternoon") {
		t.Errorf("asked %d times", len(s.asked))
	}
	if c := p.latest(); c.Thesis != vacuum || c.Trigger != sage.SessionEnd || !strings.Contains(strings.Join(c.KeyEvidence, "\n"), "Tokens are read from the primary") {
		t.Errorf("%+v", c)
	}
}

// What is said while a model writes is not lost to rules, also if no model answers for it.
func TestWhatIsSaidMeanwhileIsKept(t *testing.T) {
	p, s := newPlace(t), newScribe(t)
	s.well()
	k := p.talked("a")
	s.meanwhile = func() { k.person("And in the afternoon?").agent(vacuum) }
	k.tells(s, PreCompact, auto)
	s.meanwhile, s.status = nil, 503
	p.now = p.now.Add(time.Minute)
	k.tell(SessionEnd, nil)
	if list := strings.Join(p.log(), "\n"); !strings.Contains(list, vacuum) && !strings.Contains(strings.Join(p.latest().KeyEvidence, "\n"), vacuum) {
		t.Errorf("saved:\n%s\n%+v", list, p.latest())
	}
}

// A worker that is killed behind the save does not save again.
func TestSavedOnce(t *testing.T) {
	p, s := newPlace(t), newScribe(t)
	s.well()
	k := p.talked("a")
	k.tells(s, PreCompact, auto)
	st, err := os.Stat(k.file)
	if err != nil {
		t.Fatal(err)
	}
	q := distill.QueueOf(filepath.Join(p.dir, ".git", "sage"), func() time.Time { return p.now })
	kept, _ := filepath.Glob(filepath.Join(p.dir, ".git", "sage", "sessions", "*.distilled.json"))
	if len(kept) != 1 {
		t.Fatal(kept)
	}
	must(t, errors.Join(os.Remove(kept[0]), q.Add(distill.Entry{Session: "a", Transcript: k.file, Dir: p.dir, Until: st.Size(), Trigger: "recovery"})))
	before := len(p.log())
	k.tells(s, Distilling, nil)
	if n, _ := p.waits(); n > 0 || len(p.log()) != before || len(s.asked) != 1 {
		t.Errorf("%d wait, asked %d times, saved:\n%s", n, len(s.asked), strings.Join(p.log(), "\n"))
	}
}

// Off is off: nothing is sent, and what waited is forgotten. Nor is anything sent that was
// said before a purge, or costs more than a day may.
func TestNothingIsSent(t *testing.T) {
	p, s := newPlace(t), newScribe(t)
	s.status = 429
	k := p.talked("a")
	k.tells(s, SessionEnd, nil)
	k.tell(SessionStart, map[string]any{"source": "startup"})
	if n, why := p.waits(); n > 0 || why != "" {
		t.Errorf("%d wait, %s", n, why)
	}
	p.talked("b").tell(SessionEnd, nil)
	since := filepath.Join(p.dir, ".git", "sage", "wanted", "since")
	must(t, os.MkdirAll(filepath.Dir(since), 0o700))
	c := p.talked("c")
	must(t, os.WriteFile(since, fmt.Appendln(nil, p.now.Unix()+1), 0o600))
	c.tells(s, SessionEnd, nil)
	s.tokens = 1000
	p.talked("poor").tells(s, SessionEnd, nil)
	if n, why := p.waits(); n != 1 || !strings.Contains(why, "tokens are left today") {
		t.Errorf("%d wait, %s", n, why)
	}
	p.env = append(p.env, converse.Guard+"=1")
	p.talked("d").tells(s, SessionEnd, nil)
	if len(s.asked) != 1 || strings.Contains(strings.Join(p.log(), "\n"), "d session_end") {
		t.Errorf("asked %d times, saved:\n%s", len(s.asked), strings.Join(p.log(), "\n"))
	}
}
