package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

// A talk is a conversation that is written down as the client does.
type talk struct {
	p    *place
	file string
	n    int
	used int // tokens in the window
	last string

	waiting []session.Reminder // for the next prompt, when the last turn ended
}

func (p *place) talk(session string) *talk {
	return &talk{p: p, file: filepath.Join(p.t.TempDir(), session+".jsonl")}
}

func (k *talk) record(r map[string]any) {
	k.p.t.Helper()
	k.n++
	r["uuid"], r["cwd"], r["sessionId"], r["version"] = fmt.Sprint("u", k.n), k.p.dir, "s", "2.1.329"
	b, err := json.Marshal(r)
	if err == nil {
		err = appendTo(k.file, append(b, '\n'))
	}
	if err != nil {
		k.p.t.Fatal(err)
	}
}

func appendTo(file string, b []byte) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(b)
	return err
}

// turn is what a person says and what the agent answers.
func (k *talk) turn(prompt, answer string) {
	k.record(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": prompt}})
	k.says(answer, map[string]any{"type": "text", "text": answer})
	k.last = answer
}

func (k *talk) says(_ string, block map[string]any) {
	k.used += 1000
	k.record(map[string]any{"type": "assistant", "message": map[string]any{
		"id": fmt.Sprint("msg", k.n), "role": "assistant", "model": "claude-sonnet-4-5", "content": []any{block},
		"usage": map[string]int{"input_tokens": k.used, "output_tokens": 100},
	}})
}

// read is the reading of a file of the repository, which is made.
func (k *talk) read(name, text string) {
	file := filepath.Join(k.p.dir, name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		k.p.t.Fatal(err)
	}
	id := fmt.Sprint("toolu", k.n)
	k.says("", map[string]any{"type": "tool_use", "id": id, "name": "Read", "input": map[string]any{"file_path": file}})
	lines := strings.Count(text, "\n") + 1
	k.record(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": []any{
		map[string]any{"type": "tool_result", "tool_use_id": id, "content": text},
	}}, "toolUseResult": map[string]any{"type": "text", "file": map[string]any{
		"filePath": file, "content": text, "numLines": lines, "startLine": 1, "totalLines": lines,
	}}})
}

// An answer is what a hook told the client.
type answer struct {
	Decision, Reason, SystemMessage string
	HookSpecificOutput              struct{ HookEventName, AdditionalContext string }
}

// said is what the agent is told, one way or the other.
func (a answer) said() string { return a.Reason + a.HookSpecificOutput.AdditionalContext }

// stop ends a turn. Where autosave is suggest, that says nothing, and the answer is the one
// to the next prompt.
func (k *talk) stop(s autosave.Settings, more ...string) answer {
	k.p.t.Helper()
	in := map[string]any{"last_assistant_message": k.last}
	for _, m := range more {
		in[m] = true
		if m == "agent_id" {
			in[m] = "a1"
		}
	}
	a := k.answer(Stop, s, in)
	if s.Autosave != "suggest" {
		return a
	}
	if a != (answer{}) {
		k.p.t.Errorf("the end of a turn is answered with %+v", a)
	}
	k.waiting = k.p.memo().Waiting
	return k.answer(UserPrompt, s, map[string]any{"prompt": "Go on."})
}

// answer is what the client is told of an event.
func (k *talk) answer(event string, s autosave.Settings, in map[string]any) (a answer) {
	k.p.t.Helper()
	in["session_id"], in["cwd"], in["transcript_path"] = "s", k.p.dir, k.file
	var out bytes.Buffer
	o := k.p.options(&out, in)
	o.Settings = func(*recall.Memory) autosave.Settings { return s }
	if status := Run(context.Background(), o, event); status != 0 {
		k.p.t.Errorf("status %d", status)
	}
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			k.p.t.Fatalf("not an answer: %q", &out)
		}
	}
	return a
}

// memo is what is kept of the session s.
func (p *place) memo() session.Memo {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, "s")
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Close()
	return session.Of(m.Store).Memo()
}

// newest is the checkpoint that the session saved last.
func (p *place) newest(session string) *sage.Checkpoint {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, session)
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Close()
	c, err := m.Store.Commits.Load(context.Background(), "@")
	if err != nil {
		return nil
	}
	return c
}

func suggesting() autosave.Settings {
	return autosave.Settings{Autosave: "suggest", EveryTurns: 2, Cooldown: 30 * time.Second}
}

const decided = "**Decision:** we ship ARC, since it beats LRU by 9 points.\n\n**Constraint:** the cache must stay below 64 MB."

func TestTheNextPromptTellsWhatIsWorthSaving(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.turn("Look at the traces.", "ARC has the higher rate.")
	if a := k.stop(suggesting()); a != (answer{}) {
		t.Errorf("after one turn: %+v", a)
	}
	k.read("traces.txt", "LRU 61\nARC 70")
	k.turn("Which policy do we ship?", decided)
	a := k.stop(suggesting())
	want := `git-sage: save this with mcp__sage__sage_autosave_check, unless it no longer stands: "We ship ARC, since it beats LRU by 9 points."`
	if a.HookSpecificOutput.HookEventName != "UserPromptSubmit" || a.Decision != "" || a.SystemMessage != "" || a.said() != want {
		t.Errorf("%+v", a)
	}
	if n := legible.EstimateTokens(a.said()); n > 60 {
		t.Errorf("%d tokens", n)
	}
	if len(k.waiting) != 1 || k.waiting[0].Why != "2 turns since the session began" {
		t.Errorf("what waited: %+v", k.waiting)
	}
	if a := k.answer(UserPrompt, suggesting(), map[string]any{"prompt": "Go on."}); a != (answer{}) {
		t.Errorf("told twice: %+v", a)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

func TestStopAsksByBlocking(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.turn("Look.", "Yes.")
	k.turn("Which policy do we ship?", decided)
	s := suggesting()
	s.Autosave = "ask"
	a := k.stop(s)
	if a.Decision != "block" || !strings.Contains(a.Reason, `sage_autosave_check, unless it no longer stands: "We ship ARC`) || a.HookSpecificOutput.HookEventName != "" || a.SystemMessage != "" {
		t.Errorf("%+v", a)
	}
	if n := len(a.Reason); n > 3*100 {
		t.Errorf("%d characters are more than three lines", n)
	}
}

// TestStopHoldsItsTongue: where an answer would be one too many.
func TestStopHoldsItsTongue(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.turn("Look.", "Yes.")
	k.turn("Which policy do we ship?", decided)
	for name, a := range map[string]answer{
		"a hook said so":  k.stop(suggesting(), "stop_hook_active"),
		"a subagent":      k.stop(suggesting(), "agent_id"),
		"off":             k.stop(autosave.Settings{Autosave: "suggest"}),
		"no such setting": k.stop(autosave.Settings{EveryTurns: 1}),
	} {
		if a != (answer{}) {
			t.Errorf("%s: %+v", name, a)
		}
	}
	k.turn("And then?", "Nothing.")
	if a := k.stop(suggesting()); a != (answer{}) {
		t.Errorf("there is nothing to save: %+v", a)
	}
	k.decides("the queue")
	if a := k.stop(suggesting()); a == (answer{}) {
		t.Fatal("nothing is said at all")
	}
	for _, what := range []string{"the log", "the pool", "the index"} {
		k.decides(what)
	}
	p.now = p.now.Add(29 * time.Second)
	if a := k.stop(suggesting()); a != (answer{}) {
		t.Errorf("within the cooldown: %+v", a)
	}
	p.now = p.now.Add(time.Second)
	if a := k.stop(suggesting()); a == (answer{}) {
		t.Error("nothing behind the cooldown")
	}
	p.now = p.now.Add(time.Hour)
	if a := k.stop(suggesting()); a != (answer{}) {
		t.Errorf("although nothing was said since: %+v", a)
	}
}

// decides is a turn that comes to something.
func (k *talk) decides(what string) {
	k.turn("And "+what+"?", "**Decision:** we shard "+what+" by tenant.")
}

func TestSavesAreNotAskedForAgain(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.turn("Look.", "Yes.")
	k.stop(suggesting())
	mine := p.save("s", sage.Checkpoint{Thesis: "We ship ARC."})
	k.decides("the queue")
	if a := k.stop(suggesting()); a != (answer{}) {
		t.Errorf("behind a save: %+v", a)
	}
	k.turn("Go on.", "Yes.")
	k.decides("the log")
	if a := k.stop(suggesting()); a == (answer{}) || k.waiting[0].Why != "2 turns since the last save" {
		t.Errorf("two turns after it: %+v", k.waiting)
	}
	other := p.save("other", sage.Checkpoint{Thesis: "Somebody else's."})
	p.restore("s", other.ID)
	p.now = p.now.Add(time.Hour)
	k.turn("Go on.", "Yes.")
	k.decides("the pool")
	if a := k.stop(suggesting()); a == (answer{}) || k.waiting[0].Why != "4 turns since the last save" {
		t.Errorf("behind a load: %+v (own %s)", k.waiting, mine.ID[:8])
	}
}

func (p *place) restore(session, id string) {
	p.t.Helper()
	m, err := p.open(context.Background(), p.dir, session)
	if err != nil {
		p.t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Store.Lines.Restore(context.Background(), id); err != nil {
		p.t.Fatal(err)
	}
}

func TestStopSavesSilently(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	s := suggesting()
	s.Autosave = "silent"
	k.turn("Look.", "Yes.")
	k.turn("Go on.", "Nothing to conclude here?")
	if a := k.stop(s); a != (answer{}) || p.newest("s") != nil {
		t.Errorf("saved what nobody concluded: %+v", a)
	}
	p.now = p.now.Add(time.Hour)
	k.read("traces.txt", "LRU 61\nARC 70")
	k.turn("Go on.", "Yes.")
	k.turn("Which policy do we ship? The token is ghp_0123456789abcdefghijklmnopqrstuvwxyz.\nWhich?", decided)
	a := k.stop(s)
	c := p.newest("s")
	if c == nil || a != (answer{}) {
		t.Fatalf("%+v, saved %+v", a, c)
	}
	if c.CoreQuestion != "Which?" || !strings.HasPrefix(c.Thesis, "We ship ARC") || len(c.KeyEvidence) != 1 || c.Trigger != sage.Synthesis ||
		len(c.FilesExplored) != 1 || len(c.CodeRefs) != 1 || c.CodeRefs[0].Blob == "" || c.MessageCount == 0 {
		t.Errorf("saved %+v", c)
	}
	p.now = p.now.Add(time.Hour)
	if a := k.stop(s); a != (answer{}) {
		t.Errorf("again: %+v", a)
	}
}

func TestStopWatchesTheWindow(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	s := autosave.Settings{Autosave: "suggest", ContextThreshold: 70, ContextCooldown: time.Minute}
	k.used = 115_000 // of 200,000 - 33,000
	k.turn("Go on.", "Yes.")
	if a := k.stop(s); a != (answer{}) {
		t.Errorf("below the threshold: %+v", a)
	}
	k.turn("Go on.", "Yes.")
	a := k.stop(s)
	if want := "git-sage: save where the work stands with mcp__sage__sage_autosave_check: 70% of the context is used."; a.said() != want {
		t.Errorf("%+v", a)
	}
	p.now = p.now.Add(time.Hour)
	k.turn("Go on.", "Yes.")
	if a := k.stop(s); a != (answer{}) {
		t.Errorf("hardly fuller: %+v", a)
	}
	k.used += 20_000
	k.turn("Go on.", "Yes.")
	if a := k.stop(s); !strings.Contains(a.said(), "% of the context") {
		t.Errorf("much fuller: %+v", a)
	}
	p.now = p.now.Add(time.Hour)
	k.used += 30_000
	k.turn("Go on.", "Yes.")
	p.save("s", sage.Checkpoint{Thesis: "We ship ARC."})
	if a := k.stop(s); a != (answer{}) {
		t.Errorf("saved already: %+v", a)
	}
}

// TestStopReadsWhatClientsWrote: transcripts of both, as they are.
func TestStopReadsWhatClientsWrote(t *testing.T) {
	files, _ := filepath.Glob("transcript/testdata/*.jsonl")
	if len(files) < 5 {
		t.Fatal(files)
	}
	for _, f := range files {
		if strings.Contains(f, "agent-") { // a subagent's own
			continue
		}
		p := newPlace(t)
		k := p.talk("s")
		k.file, _ = filepath.Abs(f)
		a := k.stop(autosave.Settings{Autosave: "ask", EveryTurns: 1})
		if !strings.Contains(a.said(), "sage_autosave_check") || p.logged() != "" {
			t.Errorf("%s: %+v; logged %q", f, a, p.logged())
		}
	}
}

// TestStopSurvivesItsInput: whatever the transcript is, nothing is said and nothing hangs.
func TestStopSurvivesItsInput(t *testing.T) {
	whole, err := os.ReadFile("transcript/testdata/tools-2.1.329.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(file string) error{
		"missing": func(string) error { return nil },
		"empty":   func(f string) error { return os.WriteFile(f, nil, 0o600) },
		"garbage": func(f string) error { return os.WriteFile(f, bytes.Repeat([]byte("\x00{\xff\n"), 10_000), 0o600) },
		"folder":  func(f string) error { return os.Mkdir(f, 0o700) },
		"half":    func(f string) error { return os.WriteFile(f, whole[:200], 0o600) },
		"a line of 30 MB": func(f string) error {
			return os.WriteFile(f, []byte(`{"type":"user","x":"`+strings.Repeat("x", 30<<20)+`"}`+"\n"), 0o600)
		},
		"nobody said a word": func(f string) error { return os.WriteFile(f, bytes.Repeat([]byte("{}\n"), 1000), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			k := p.talk("s")
			must(t, make(k.file))
			if a := k.stop(autosave.Settings{Autosave: "ask", EveryTurns: 1, ContextThreshold: 1}); a != (answer{}) {
				t.Errorf("%+v", a)
			}
		})
	}
}

// TestNotesBeginAnew: what is damaged, of another version, or of another transcript.
func TestNotesBeginAnew(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.turn("Look.", "Yes.")
	k.stop(suggesting())
	files, _ := filepath.Glob(filepath.Join(p.dir, ".git", "sage", "sessions", "*.*.json"))
	if len(files) != 2 {
		t.Fatal(files)
	}
	for _, text := range []string{"", "{", "[]", `{"format":99}`, "\x00", `{"format":1,"saved":{"offset":99999999,"turns":50},"filled":5}`} {
		for _, f := range files {
			must(t, os.WriteFile(f, []byte(text), 0o600))
		}
		k.decides(fmt.Sprintf("the %q", text))
		p.now = p.now.Add(time.Hour)
		if a := k.stop(autosave.Settings{Autosave: "suggest", EveryTurns: 1}); a == (answer{}) {
			t.Errorf("with %q in the files nothing is said", text)
		}
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// TestStopsAtOnce: of several that come together at most one keeps the moment.
func TestStopsAtOnce(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.turn("Look.", "Yes.")
	k.turn("Which policy do we ship?", decided)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { k.answer(Stop, suggesting(), map[string]any{"last_assistant_message": decided}) })
	}
	all.Wait()
	if list := p.memo().Waiting; len(list) != 1 {
		t.Errorf("%d wait: %+v", len(list), list)
	}
}

func TestSubagentsAndCompactionsAreSilent(t *testing.T) {
	p := newPlace(t)
	for _, in := range []map[string]any{
		{"agent_type": "", "agent_transcript_path": "/no/such/file.jsonl"},
		{"agent_id": "a1", "agent_type": "general-purpose", "last_assistant_message": decided},
	} {
		in["session_id"], in["cwd"] = "s", p.dir
		var out bytes.Buffer
		if Run(context.Background(), p.options(&out, in), SubagentStop); out.Len() > 0 {
			t.Errorf("%v: %q", in, &out)
		}
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

func TestCodeContext(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.read("a.go", "package a")
	k.read("b.go", "package b\n\nvar x int")
	k.turn("Look.", "Yes.")
	save := func(c sage.Checkpoint, d gitstore.Draft) *sage.Checkpoint {
		t.Helper()
		m, err := p.open(context.Background(), p.dir, "s")
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		d.Checkpoint = c
		m.Stores.Around = func(ctx context.Context, c *sage.Checkpoint) func(string) {
			return session.Of(m.Store).AddCode(ctx, c)
		}
		saved, err := m.Save.Checkpoint(context.Background(), save.Note{Draft: d})
		if err != nil {
			t.Fatal(err)
		}
		if saved.Explored != len(p.newest("s").FilesExplored) {
			t.Errorf("%d files are said to be saved", saved.Explored)
		}
		return p.newest("s")
	}
	if c := save(sage.Checkpoint{Thesis: "Nothing is known."}, gitstore.Draft{}); len(c.FilesExplored) > 0 {
		t.Errorf("of an unknown transcript: %q", c.FilesExplored)
	}
	p.runWith(SessionStart, "s", k.file)
	if c := save(sage.Checkpoint{Thesis: "Not wanted."}, gitstore.Draft{NoCode: true}); len(c.FilesExplored) > 0 {
		t.Errorf("although nobody wants them: %q", c.FilesExplored)
	}
	c := save(sage.Checkpoint{Thesis: "Wanted.", FilesExplored: []string{"z.go", "b.go"}, CodeRefs: []sage.CodeRef{{File: "a.go", Relevance: "supports"}}}, gitstore.Draft{})
	if got := strings.Join(c.FilesExplored, " "); got != "z.go b.go a.go" {
		t.Errorf("explored %s", got)
	}
	if len(c.CodeRefs) != 2 || c.CodeRefs[0].Relevance != "supports" || c.CodeRefs[0].Blob == "" || c.CodeRefs[1].File != "b.go" {
		t.Errorf("refs %+v", c.CodeRefs)
	}
	k.read("c.go", "package c")
	k.read("b.go", "package b\n\nvar x int")
	if c := save(sage.Checkpoint{Thesis: "What came since."}, gitstore.Draft{}); strings.Join(c.FilesExplored, " ") != "b.go c.go" {
		t.Errorf("since the last save: %q", c.FilesExplored)
	}
	if c := save(sage.Checkpoint{Thesis: "And nothing since."}, gitstore.Draft{}); len(c.FilesExplored) > 0 || len(c.CodeRefs) > 0 {
		t.Errorf("again: %q", c.FilesExplored)
	}
	if a := k.stop(autosave.Settings{Autosave: "suggest", EveryTurns: 1}); a != (answer{}) {
		t.Errorf("asked for what is saved: %+v", a)
	}
	must(t, os.Remove(k.file))
	save(sage.Checkpoint{Thesis: "Without a transcript."}, gitstore.Draft{})
}

// runWith answers an event whose session has a transcript.
func (p *place) runWith(event, session, file string) {
	p.t.Helper()
	var out bytes.Buffer
	o := p.options(&out, map[string]any{"session_id": session, "cwd": p.dir, "source": "startup", "transcript_path": file})
	Run(context.Background(), o, event)
}

// TestStopSavesTheDecision: not what it costs, nor the last sentence that concludes.
func TestStopSavesTheDecision(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	s := suggesting()
	s.Autosave = "silent"
	k.read("a.txt", "LRU 61")
	k.read("b.txt", "ARC 70")
	k.turn("Look.", "Yes.")
	k.turn("Go on.", "Yes.")
	k.turn("Which policy do we ship?", "I read both traces. Decision: we ship ARC instead of LRU, because it beats LRU by 9 points on a week of our traces. "+
		"The price is a ghost list whose memory use nobody has measured yet. So the conclusion is that ARC is the better policy for this service.")
	a := k.stop(s)
	c := p.newest("s")
	if c == nil || c.Trigger != sage.Synthesis || c.Thesis != "We ship ARC instead of LRU, because it beats LRU by 9 points on a week of our traces." {
		t.Errorf("%+v, saved %+v", a, c)
	}
}

// TestFailedSaveComesAgain: what could not be saved was not saved, and the next end of a turn
// tries again; the log says why.
func TestFailedSaveComesAgain(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.read("traces.txt", "LRU 61\nARC 70")
	k.turn("Look at the traces.", "ARC has the higher rate.")
	k.turn("Which policy do we ship?", decided)
	s := autosave.Settings{Autosave: "silent", EveryTurns: 2}
	lock := filepath.Join(p.dir, ".git", "refs", "sage", "heads", "main.lock")
	must(t, os.MkdirAll(filepath.Dir(lock), 0o777))
	must(t, os.WriteFile(lock, nil, 0o666))
	if a := k.stop(s); a != (answer{}) {
		t.Errorf("it says something: %+v", a)
	}
	if log := p.logged(); !strings.Contains(log, "stop: 2 turns since the session began") {
		t.Errorf("logged %q", log)
	}
	must(t, os.Remove(lock))
	if k.stop(s); p.newest("s") == nil {
		t.Error("it did not try again")
	}
}
