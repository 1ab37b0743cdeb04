package trigger

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

var rules = Rules{Threshold: threshold, Drift: 0.5, QuestionDrop: 0.2}

const (
	conclusion = "In short, the pool is too small: all three of the profiles say so."
	faint      = "So the pool is the bottleneck." // its words alone do not reach the threshold
	shift      = "OK, enough of that. Let's talk about something else: pricing."
)

func talk(w Work, turns ...Turn) Talk { return Talk{Turns: turns, New: len(turns), Work: w} }

func TestWorkTakesNothingFromWords(t *testing.T) {
	for _, tt := range []struct {
		name string
		work Work
		want sage.Trigger
	}{
		{"nothing was done", Work{}, sage.Synthesis},
		{"one file was read", Work{Looks: 1}, sage.Synthesis},
		{"four were", Work{Looks: 4}, sage.Synthesis},
		{"one search", Work{Searches: 1}, sage.Synthesis},
		{"four", Work{Searches: 4}, sage.WebSearchComplete},
		{"one file changed", Work{Changed: 1}, sage.Synthesis},
		{"ten", Work{Changed: 10}, sage.Synthesis},
		{"a failed test passes", Work{Fixed: 1}, sage.Synthesis},
	} {
		var got sage.Trigger
		if f := Detect(talk(tt.work, Turn{Text: conclusion}), rules); f != nil {
			got = f.Trigger
		}
		if got != tt.want {
			t.Errorf("%s: %q, not %q", tt.name, got, tt.want)
		}
	}
	if f := Detect(talk(Work{Searches: 1000, Looks: 1000, Changed: 1000, Fixed: 9}, Turn{Text: "Done."}), rules); f != nil {
		t.Errorf("work without a word: %+v", f)
	}
}

func TestQuestionsThatCeaseTellOfAConclusion(t *testing.T) {
	question, statement := Turn{"Why is it slow?", true}, Turn{"The profile is here.", true}
	early := []Turn{question, question, question, statement, statement, statement, {Text: faint}}
	late := []Turn{statement, statement, statement, question, question, question, {Text: faint}}
	for _, turns := range [][]Turn{early, late} {
		k := talk(Work{Looks: 1}, turns...)
		k.New = 1
		if f := Detect(k, rules); (f != nil) != (turns[0] == question) {
			t.Errorf("first %q: %+v", turns[0].Text, f)
		}
	}
}

func TestAgreementTellsOfAConclusion(t *testing.T) {
	agrees := Turn{"You're right, your reading of the profile is the correct one.", true}
	k := talk(Work{Looks: 1}, agrees, Turn{Text: faint})
	k.New = 1 // the agreement itself was looked at before
	if f := Detect(k, rules); f == nil || f.Kind != Synthesis {
		t.Errorf("%+v", f)
	}
}

func TestDistanceConfirmsAShift(t *testing.T) {
	near := func(x float64) func() *float64 { return func() *float64 { return &x } }
	for _, tt := range []struct {
		name, text string
		near       func() *float64
		want       bool
	}{
		{"words alone", shift, nil, true},
		{"and far away", shift, near(0.1), true},
		{"but still about the same", shift, near(0.9), false},
		{"far away, without a word", "How large is the file?", near(-0.2), false},
		{"a word, and far away", "Fine, closed. How large is the bill?", near(0.1), true},
		{"a word, and not far", "Fine, closed. How large is the bill?", near(0.45), false},
	} {
		k := talk(Work{}, Turn{tt.text, true})
		k.Near = tt.near
		if f := Detect(k, rules); (f != nil && f.Kind == TopicShift) != tt.want {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}

func TestOnlyWhatIsNewCounts(t *testing.T) {
	k := talk(Work{}, Turn{Text: conclusion}, Turn{Text: "Done."})
	k.New = 1
	if f := Detect(k, rules); f != nil {
		t.Errorf("an old turn: %+v", f)
	}
	k.New = 2
	f := Detect(k, rules)
	if f == nil || f.Why == "" || f.Said == "" {
		t.Fatalf("%+v", f)
	}
	k.Known = map[string]bool{f.Key: true}
	if f := Detect(k, rules); f != nil {
		t.Errorf("what was pointed out: %+v", f)
	}
}

func TestTheMoreImportantIsTold(t *testing.T) {
	f := Detect(talk(Work{}, Turn{shift, true}, Turn{Text: conclusion}), rules)
	if f == nil || f.Trigger != sage.TopicShift {
		t.Errorf("%+v", f)
	}
	f = Detect(talk(Work{}, Turn{"Remember that the cache holds 64 MB. " + shift, true}), rules)
	if f == nil || f.Trigger != sage.Manual {
		t.Errorf("%+v", f)
	}
}

// TestFloorsHoldWhateverTheThreshold: a threshold of nothing is no leave to ask at every turn.
func TestFloorsHoldWhateverTheThreshold(t *testing.T) {
	low := Rules{Threshold: 0.01}
	if f := Detect(talk(Work{}, Turn{Text: "The first is fast, but slow on disk."}), low); f != nil {
		t.Errorf("%+v", f)
	}
}

// TestADecisionIsNoConstraint: what it costs, and names that limits have as well, make
// none of it.
func TestADecisionIsNoConstraint(t *testing.T) {
	const said = "I read both traces. Decision: we ship ARC instead of LRU, because it beats LRU by 9 points on a week of our traces. " +
		"The price is a ghost list whose memory use nobody has measured yet. So the conclusion is that ARC is the better policy for this service."
	f := Detect(talk(Work{Looks: 2}, Turn{Text: said}), rules)
	if f == nil || f.Trigger != sage.Synthesis || !strings.HasPrefix(f.Said, "we ship ARC") {
		t.Errorf("%+v", f)
	}
	f = Detect(talk(Work{}, Turn{Text: "The vendor's API only allows 5 requests a second, so we cannot replay the traces."}), rules)
	if f == nil || f.Trigger != sage.ConstraintDiscovered {
		t.Errorf("a real one: %+v", f)
	}
}
