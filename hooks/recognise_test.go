package hooks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/recall"
)

// recognising counts no turns: words and work alone.
func recognising() autosave.Settings {
	return autosave.Settings{Autosave: "suggest", Cooldown: 30 * time.Second, Trigger: 0.6, Drift: 0.5, QuestionDrop: 0.2}
}

const (
	bottleneck = "Putting the three profiles side by side, the picture is clear: about 80% of the latency sits in JSON decoding and almost none in Postgres. Rewriting the queries would have bought us nothing."
	ways       = "There are two viable ways from here. We could keep the log as the source of truth, or write to the model directly. The first is safer for audits, the second is half the work."
)

func TestWordsWithWorkAreAMoment(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.turn("Where does the time go?", bottleneck)
	if a := k.stop(recognising()); a == (answer{}) {
		t.Error("no word about a conclusion in a talk without tools")
	}
	p.now = p.now.Add(time.Hour)
	k.turn("Run the tests.", "All 212 tests pass. I'll tidy up the two unused imports and then commit.")
	if a := k.stop(recognising()); a != (answer{}) {
		t.Errorf("routine: %+v", a)
	}
	p.save("s", sage.Checkpoint{Thesis: "JSON decoding is slow."})
	k.turn("Go on.", "Yes.")
	k.stop(recognising())
	k.read("a.txt", "1")
	k.turn("And on staging?", strings.ReplaceAll(bottleneck, "80", "70"))
	if a := k.stop(recognising()); a == (answer{}) {
		t.Error("one file that was read takes the words back")
	}
	p.now = p.now.Add(time.Hour)
	for i := range 4 {
		k.read(fmt.Sprint("profile", i), "80%")
	}
	k.turn("And on production?", strings.ReplaceAll(bottleneck, "80", "90"))
	a := k.stop(recognising())
	if !strings.Contains(a.said(), `"Putting the three profiles side by side, the picture is clear: about 90% of the latency sits in JSON decoding`) ||
		len(k.waiting) != 1 || !strings.HasPrefix(k.waiting[0].Why, "a conclusion: Putting") {
		t.Errorf("after five: %+v, waited %+v", a, k.waiting)
	}
}

func TestTheSameIsNotPointedOutTwice(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.turn("Which way?", ways)
	if a := k.stop(recognising()); !strings.Contains(a.said(), `"There are two viable ways`) {
		t.Fatalf("%+v", a)
	}
	p.now = p.now.Add(time.Hour)
	if a := k.stop(recognising()); a != (answer{}) {
		t.Errorf("the same turn: %+v", a)
	}
	k.turn("Say that again.", "As I said. "+ways)
	if a := k.stop(recognising()); a != (answer{}) {
		t.Errorf("the same words: %+v", a)
	}
	k.turn("Which one?", "**Decision:** we write to the model directly.")
	k.turn("OK, enough of that. Let's talk about something else: pricing.", "Sure.")
	if a := k.stop(recognising()); !strings.Contains(a.said(), `"We write to the model directly."`) || !strings.HasPrefix(k.waiting[0].Why, "a change of topic") {
		t.Errorf("something new: %+v, waited %+v", a, k.waiting)
	}
}

// TestWhatWouldBeRefusedIsNotSuggested: the gate of sage_autosave_check holds for hints.
func TestWhatWouldBeRefusedIsNotSuggested(t *testing.T) {
	p := newPlace(t)
	p.settings = func() recall.Settings { return recall.Settings{DepthMessages: 4} }
	k := p.talk("s")
	k.turn("Which way?", ways)
	if a := k.stop(recognising()); a != (answer{}) {
		t.Errorf("after two messages of four: %+v", a)
	}
	k.turn("Which way now?", strings.ReplaceAll(ways, "audits", "restores"))
	if a := k.stop(recognising()); a == (answer{}) {
		t.Error("nothing after four messages")
	}
}

func TestTheAnswerMayNotBeWrittenYet(t *testing.T) {
	p := newPlace(t)
	k := p.talk("s")
	k.record(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": "Which way?"}})
	k.last = ways
	if a := k.stop(recognising()); !strings.Contains(a.said(), `"There are two viable ways`) {
		t.Errorf("%+v", a)
	}
}

// TestWhatWasAskedForIsKept: whoever had something remembered as knowledge is not asked for
// a checkpoint of it.
func TestWhatWasAskedForIsKept(t *testing.T) {
	for _, kept := range []bool{false, true} {
		p := newPlace(t)
		k := p.talk("s")
		k.record(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": "Remember that the tests need TZ=UTC."}})
		if kept {
			k.says("", map[string]any{"type": "tool_use", "id": "toolu_k", "name": "mcp__sage__sage_save_knowledge", "input": map[string]any{"content": "TZ=UTC"}})
			k.record(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": []any{
				map[string]any{"type": "tool_result", "tool_use_id": "toolu_k", "content": "Saved tz in this repository (3 tokens)."},
			}}})
		}
		k.says("", map[string]any{"type": "text", "text": "Noted."})
		if a := k.stop(recognising()); (a == (answer{})) != kept {
			t.Errorf("kept: %v, %+v", kept, a)
		}
	}
}
