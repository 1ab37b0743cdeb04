package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/recall"
)

// TestCompactionByHandGoesThrough: what nobody saved is kept, and nobody is held for it,
// unless the person wants to be asked.
func TestCompactionByHandGoesThrough(t *testing.T) {
	for _, autosave := range []string{"suggest", "silent", "off", "ask in -p"} {
		p := newPlace(t)
		var inPrint bool
		if p.tunables.Autosave, inPrint = strings.CutSuffix(autosave, " in -p"); inPrint {
			p.env = append(p.env, "CLAUDE_CODE_ENTRYPOINT=sdk-cli")
		}
		out := p.chat("a").person("Why do logins time out?").agent(replica).tell(PreCompact, manual)
		if out != "" || len(p.log()) != 1 {
			t.Errorf("%s: answered %q, saved %q", autosave, out, p.log())
		}
	}
}

func TestCompactionByHandIsRefusedOnce(t *testing.T) {
	p := newPlace(t)
	p.tunables.Autosave = "ask"
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	refused := func(out string, want ...string) {
		t.Helper()
		var a struct{ Decision, Reason string }
		if err := json.Unmarshal([]byte(out), &a); err != nil || a.Decision != "block" {
			t.Fatalf("not refused: %q (%v)", out, err)
		}
		for _, w := range append(want, "Ask for a checkpoint first", "type /compact again") {
			if !strings.Contains(a.Reason, w) {
				t.Errorf("the reason lacks %q:\n%s", w, a.Reason)
			}
		}
		if n := utf8.RuneCountInString(a.Reason); n > 300 {
			t.Errorf("%d characters are more than three lines", n)
		}
	}
	refused(k.tell(PreCompact, manual), replica)
	if out := k.person("/compact").tell(PreCompact, manual); strings.HasPrefix(out, "{") {
		t.Errorf("refused twice: %q", out)
	}
	if out := k.agent(vacuum).tell(PreCompact, manual); strings.HasPrefix(out, "{") {
		t.Errorf("refused twice: %q", out)
	}
	p.save("a", sage.Checkpoint{Thesis: "The vacuum job goes."})
	if out := k.tell(PreCompact, manual); strings.HasPrefix(out, "{") {
		t.Errorf("refused although all is saved: %q", out)
	}
	refused(k.person("No, use the cache instead.").agent("I settled on the cache: it must never hold more than one token.").tell(PreCompact, manual), "cache")
	if out := k.agent(replica+" We measured 340 ms at night.").tell(PreCompact, auto); strings.HasPrefix(out, "{") {
		t.Errorf("the client's own compaction is refused: %q", out)
	}
}

// The client writes the last answer a tenth of a second behind: it counts, although the hook
// was called before it was there.
func TestCompactionByHandAwaitsTheAnswer(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?")
	var out bytes.Buffer
	o := k.options(&out, map[string]any{"session_id": k.session, "cwd": k.dir, "transcript_path": k.file, "trigger": "manual"})
	write := sync.OnceFunc(func() { k.agent(replica) })
	o.Settings = func(*recall.Memory) autosave.Settings {
		write()
		return autosave.Settings{Autosave: "ask"}
	}
	if Run(context.Background(), o, PreCompact); !strings.Contains(out.String(), replica) {
		t.Errorf("not held: %q", out.String())
	}
}

func TestRefusedSessionsAreApart(t *testing.T) {
	p := newPlace(t)
	p.tunables.Autosave = "ask"
	for s, said := range map[string]string{"a": replica, "b": vacuum} {
		if out := p.chat(s).person("Why?").agent(said).tell(PreCompact, manual); !strings.HasPrefix(out, `{"decision"`) {
			t.Errorf("session %s: %q", s, out)
		}
	}
}

// Of a compaction that a person types no hook is called before it: what nobody saved is
// kept, marked and brought back behind it, once.
func TestTypedCompactionIsDealtWithBehind(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	behind := map[string]any{"source": "compact"}
	text := contextOf(t, k.tell(SessionStart, behind))
	for _, want := range []string{broughtBack, "Context was compacted. Where you were:", replica} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	p.logs("a recovery: " + replica)
	if text := contextOf(t, k.tell(SessionStart, behind)); strings.Contains(text, broughtBack) {
		t.Errorf("brought back twice:\n%s", text)
	}
	k.now = k.now.Add(2 * time.Second)
	if got := did(k.ordered(k.compact("ONE"), afterCompaction...)); got != nil || p.waiting() != nil {
		t.Errorf("the watcher did %q, %q waits", got, p.waiting())
	}
	k.agent(vacuum).tell(Closing, nil)
	if c := p.newest("a"); c == nil || c.Trigger != sage.SessionEnd || !strings.Contains(c.ReasoningTrace, "The client's summary of what came before: ONE") {
		t.Errorf("the end saved %+v", c)
	}
	if log := p.logged(); log != "" {
		t.Errorf("logged %q", log)
	}
}

// Where a hook was called before it, nothing is done a second time; what that hook left,
// since the compaction was broken off, is not all that there is now.
func TestCompactionBehindOneThatWasBrokenOff(t *testing.T) {
	p := newPlace(t)
	k := p.chat("a").person("Why do logins time out?").agent(replica)
	k.tell(PreCompact, auto)
	k.person("Stop. And at night?").agent(vacuum)
	text := contextOf(t, k.tell(SessionStart, map[string]any{"source": "compact"}))
	if !strings.Contains(text, broughtBack) || !strings.Contains(text, vacuum) || len(p.waiting()) > 0 {
		t.Errorf("%q waits, brought back:\n%s", p.waiting(), text)
	}
	p.logs("a recovery: "+vacuum, "a recovery: "+replica)
}

// A client that is killed within a compaction that a person typed loses nothing: the next
// session finds it.
func TestKillWithinATypedCompaction(t *testing.T) {
	p := newPlace(t)
	p.chat("a").person("Why do logins time out?").agent(replica).tell(SessionStart, map[string]any{"source": "startup"})
	b := p.chat("b").person("Go on.")
	if text := contextOf(t, b.tell(SessionStart, map[string]any{"source": "startup"})); !strings.Contains(text, replica) {
		t.Errorf("the next session is shown:\n%s", text)
	}
	p.logs("a recovery: " + replica)
}
