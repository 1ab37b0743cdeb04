package trigger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/cut"
)

// A Turn is what somebody said, in Markdown.
type Turn struct {
	Text   string
	Person bool // else the agent
}

// A Talk is a conversation at the end of a turn.
type Talk struct {
	Turns []Turn // what was said last, in order
	New   int    // how many of them, from the end, were not looked at before
	Work  Work   // since the last save

	// Near tells how near the last message of the person is to those before, on the scale
	// of recall's calibration, nil if that is not known. It is asked only where words
	// tell of another topic; nil is never.
	Near func() *float64
	// Encode gives the second opinion its vectors, nil if there are none.
	Encode Encode
	Known  map[string]bool // keys of what was pointed out before, see Found
	Kept   bool            // something was saved since the person spoke: whoever asked for it has it
}

// Rules are the settings that Detect obeys.
type Rules struct {
	Threshold    float64 // trigger_threshold
	Drift        float64 // topic_drift_threshold
	QuestionDrop float64 // convergence_question_drop
}

// A Found is a moment that is worth saving.
type Found struct {
	Kind    Kind
	Trigger sage.Trigger // of the checkpoint
	Score   float64
	Why     string // for people, without a full stop
	Said    string // the sentence that tells; "" if it was none
	Agreed  bool   // Said is a proposal that the person agreed to: it is decided
	Key     string // of what was said: the same conclusion has the same
}

// byStructure is how much of a score is structure, where there is any to measure; the rest
// is words.
const byStructure = 0.7

// floors are the least scores by trigger, whatever trigger_threshold is set to.
var floors = map[Kind]float64{Synthesis: 0.5, searched: 0.3, TopicShift: 0.4, BranchPoint: 0.4, Constraint: 0.4}

// searched is a synthesis behind searches of the web.
const searched Kind = "web_search_complete"

// manySearches are enough for a conclusion to be one of theirs.
const manySearches = 3

// Detect is the moment that a conversation has come to; nil is none. Of several the most
// important is told, see [Kinds].
func Detect(t Talk, r Rules) *Found {
	told := t.readings()
	found := map[Kind]Found{}
	for _, x := range told {
		for k, words := range x.Scores {
			if k == Constraint && x.Outright { // what was decided names limits, and is none
				continue
			}
			f := Found{Kind: k, Trigger: k.Trigger(), Score: t.score(k, words, r), Said: x.Best[k]}
			f.Key, f.Agreed = keyOf(x.Best[k]), k == Validation && x.Agreed
			if f.Score > found[k].Score && !t.Known[f.Key] {
				found[k] = f
			}
		}
	}
	if t.Kept {
		delete(found, Explicit)
	}
	return choose(found, t, r)
}

// readings are those of the turns that are new.
func (t Talk) readings() []Reading {
	return ReadAll(t.Turns, t.New, t.Encode)
}

// score is what structure and words tell together, and never less than the words alone: who
// read one file and concludes something has concluded it. Of kinds that show in words alone
// it is what the words tell.
func (t Talk) score(k Kind, words float64, r Rules) float64 {
	if k == TopicShift {
		return t.shifted(words, r)
	}
	if k != Synthesis || words < floors[Synthesis] {
		return words
	}
	s := max(converged(t.Turns, r.QuestionDrop), t.agreement())
	return max(words, byStructure*max(s, t.Work.strength())+(1-byStructure)*words)
}

// shifted is how much words tell of another topic, with how far the message is from those
// before it. Where it is far, words that say it outright need no more; where it is near they
// count for little. Without a word distance is no sign: in routine sessions one message of
// seven has as little in common with those before it as one of another session (nearness
// below .14, of 33 messages of eight words and more), which would be 1.7 false alarms in
// 100 turns.
func (t Talk) shifted(words float64, r Rules) float64 {
	if t.Near == nil || words < floors[TopicShift] {
		return words
	}
	near := t.Near()
	if near == nil {
		return words
	}
	score := byStructure*min(1, max(0, 1-*near)) + (1-byStructure)*words
	if *near < r.Drift {
		return max(score, words)
	}
	return score
}

// agreement is how much the person's last message agrees.
func (t Talk) agreement() float64 {
	for _, x := range slices.Backward(t.Turns) {
		if x.Person {
			return min(mostByWork, Read(x.Text, true).Scores[Validation])
		}
	}
	return 0
}

// choose is the most important of what was found and reaches the threshold.
func choose(found map[Kind]Found, t Talk, r Rules) *Found {
	most := 0.0
	for _, f := range found {
		most = max(most, f.Score)
	}
	for _, k := range Kinds {
		f := found[k]
		if f.Score < max(r.Threshold, floors[k]) || f.Score == 0 || f.Score < most-about && k != Explicit {
			continue
		}
		f.Why = why(f, t)
		if k == Synthesis && t.Work.Searches >= manySearches {
			f.Trigger = sage.WebSearchComplete
		}
		return &f
	}
	return nil
}

// why says in a few words what was found.
func why(f Found, t Talk) string {
	head := map[Kind]string{
		Synthesis: "a conclusion", BranchPoint: "an open choice", Constraint: "a constraint",
		TopicShift: "a change of topic", Validation: "an agreement", Explicit: "a request to save",
	}[f.Kind]
	if f.Agreed {
		head = "a proposal that was agreed to"
	}
	if f.Kind == Synthesis && t.Work.Searches >= manySearches {
		head += fmt.Sprintf(" after %d searches", t.Work.Searches)
	}
	if f.Said == "" {
		return head
	}
	return head + ": " + cut.Runes(strings.TrimRight(f.Said, "."), maxWhy)
}

const maxWhy = 80

// keyOf is the same for sentences of the same words, whatever stands between them.
func keyOf(s string) string {
	if s == "" {
		return ""
	}
	var list []string
	for _, x := range parse(prose.Spoken(s)) {
		for _, w := range x.words {
			if w.kind != mark && len(w.text) > 2 {
				list = append(list, w.text)
			}
		}
	}
	slices.Sort(list)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(list), " ")))
	return hex.EncodeToString(sum[:6])
}
