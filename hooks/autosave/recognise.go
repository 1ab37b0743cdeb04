package autosave

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/hooks/trigger"
	"github.com/git-sage/git-sage/prose/terms"
)

// mostPointed is how many keys and sentences of conclusions that were pointed out a session
// remembers.
const mostPointed = 32

// recognised is the moment that the words of the last turn tell of, with the work since
// the last save.
func (t *turn) recognised() *moment {
	if t.s.Trigger <= 0 || t.s.Trigger >= 1 {
		return nil
	}
	talk := t.conversation()
	f := trigger.Detect(talk, trigger.Rules{Threshold: t.s.Trigger, Drift: t.s.Drift, QuestionDrop: t.s.QuestionDrop})
	if f == nil {
		return nil
	}
	m := &moment{trigger: f.Trigger, why: f.Why, key: f.Key, before: f.Kind == trigger.Validation || f.Kind == trigger.TopicShift}
	if slices.Contains(positions, f.Kind) || f.Agreed {
		m.said = brief(f.Said, maxThesis)
	}
	return m
}

// positions are the kinds whose sentence is what is to be saved, and no talk about it.
var positions = []trigger.Kind{trigger.Synthesis, trigger.Constraint, trigger.BranchPoint, trigger.Explicit}

// keeps are the tools that keep something for good.
var keeps = []string{"sage_save_checkpoint", "sage_autosave_check", "sage_save_knowledge", "sage_update_knowledge", "sage_record_failure"}

// conversation is what Detect looks at: new are the texts of the last turn that came
// behind the last save and the last question.
func (t *turn) conversation() trigger.Talk {
	from := max(t.Memo.Saved.Offset, t.Memo.Asked.Offset)
	k := trigger.Talk{Work: t.work(), Known: map[string]bool{}, Near: t.near, Encode: t.encode}
	for _, x := range t.Digest.Texts {
		if x.Person {
			k.New = 0
		}
		if k.New++; x.Offset < from {
			k.New = 0
		}
		k.Turns = append(k.Turns, trigger.Turn{Text: x.Text, Person: x.Person})
	}
	if t.answerMissing() { // the transcript lacks the answer, the client told it
		k.Turns = append(k.Turns, trigger.Turn{Text: t.answered()})
		k.New++
	}
	for _, key := range t.Memo.Told {
		k.Known[key] = true
	}
	_, said := t.lastSaid()
	k.Kept = slices.ContainsFunc(t.Digest.MCP, func(c transcript.Call) bool {
		return c.Offset > said && c.Count > c.Failed && slices.Contains(keeps, c.Tool)
	})
	return k
}

// work is what was done since the last save.
func (t *trail) work() (w trigger.Work) {
	from := t.Memo.Saved.Offset
	for _, q := range t.Digest.Searches {
		switch {
		case q.Offset < from:
		case q.Kind == "web" || q.Kind == "page":
			w.Searches++
		default:
			w.Looks++
		}
	}
	for _, f := range t.Digest.Files {
		if f.Offset >= from {
			w.Looks += min(f.Reads, 1)
			w.Changed += min(f.Changes, 1)
		}
	}
	for _, f := range t.Digest.Failures {
		if f.Test && f.Fixed > 0 && f.Fixed >= from {
			w.Fixed++
		}
	}
	return w
}

// deep reports whether a save at this moment would not be refused for being too early.
func (t *turn) deep(m *moment) bool {
	return t.Memory.Save.DeepEnough(&sage.Checkpoint{Trigger: m.trigger, MessageCount: t.messages(), TokenEstimate: t.tokens()}) == nil
}

// hasTold reports whether a sentence was pointed out, with a label in front of it or without.
func (t *trail) hasTold(said string) bool {
	words := terms.Phrase(said)
	return words != "" && slices.ContainsFunc(t.Memo.Told, func(told string) bool {
		return strings.HasSuffix(told, words) || strings.Contains(told, " ") && strings.HasSuffix(words, told)
	})
}

// remember keeps the same conclusion from being pointed out again.
func (t *trail) remember(key string) {
	if key == "" || slices.Contains(t.Memo.Told, key) {
		return
	}
	t.Memo.Told = append(t.Memo.Told, key)
	t.Memo.Told = t.Memo.Told[max(0, len(t.Memo.Told)-mostPointed):]
}
