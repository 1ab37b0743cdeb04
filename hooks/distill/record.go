package distill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall/propose"
)

// A Base is what is saved of a session already.
type Base struct {
	Record  *sage.Checkpoint // the newest; nil is nothing
	Thought bool             // its thesis is what somebody thought, and stays
	Before  *sage.Checkpoint // what a model wrote of the session before; nil is nothing
}

// Checkpoint is the record of a session in the place of the one by rules. It begins with
// what that holds and the model does not say: files, places in the code, numbers. Where
// somebody thought about the session, that stays in front.
func (r Result) Checkpoint(b Base, trigger sage.Trigger) *sage.Checkpoint {
	c := &sage.Checkpoint{}
	if b.Record != nil {
		c = b.Record.Clone()
	}
	c.ID, c.Parents, c.Author, c.Time, c.Description, c.Aliases, c.Unconfirmed = "", nil, "", time.Time{}, "", nil, false
	c.BranchFrom, c.MergeSources, c.ComponentTheses = "", nil, nil
	c.Trigger, c.Agent = trigger, sage.Rules
	found := slices.Concat(prefixed("Decided: ", r.Decisions), texts(r.Evidence))
	if b.Thought {
		c.KeyEvidence = lists.Union(c.KeyEvidence, append(texts([]Claim{r.Thesis}), found...))
		c.OpenQuestions = lists.Union(c.OpenQuestions, texts(r.Open))
	} else {
		r.replace(c, found)
		if b.Before != nil {
			carry(c, b.Before)
		}
	}
	for _, f := range r.Failures {
		if x := (sage.Contribution{Type: "experiment", Content: f.Text}); !slices.Contains(c.UniqueContributions, x) {
			c.UniqueContributions = append(c.UniqueContributions, x)
		}
	}
	c.KeyEvidence = slices.DeleteFunc(c.KeyEvidence, func(s string) bool { return s == c.Thesis })
	c.ReasoningTrace = r.trace(c.ReasoningTrace, b.Thought)
	c.Extra = append(slices.DeleteFunc(c.Extra, func(x sage.Entry) bool { return x.Key == sage.Distilled }), r.mark())
	return c
}

// replace puts what the model says in the place of what rules picked from the conversation
// that it read. What they have from elsewhere, of sessions that were cut off before, say,
// stays behind it.
func (r Result) replace(c *sage.Checkpoint, found []string) {
	c.CoreQuestion, c.Thesis = cmp.Or(r.Question.Text, c.CoreQuestion), r.thesis(c.Thesis)
	if len(found) > 0 {
		c.KeyEvidence = lists.Union(found, slices.DeleteFunc(c.KeyEvidence, r.read))
		c.UniqueContributions = slices.DeleteFunc(c.UniqueContributions, func(x sage.Contribution) bool { return r.read(x.Content) })
	}
	if open := texts(r.Open); len(open) > 0 {
		c.OpenQuestions = lists.Union(open, slices.DeleteFunc(c.OpenQuestions, r.read))
	}
}

// read reports whether the model has read a sentence, whatever rules put before it.
func (r Result) read(s string) bool {
	_, behind, _ := strings.Cut(s, ": ")
	for _, s := range []string{s, behind} {
		if s = strings.TrimSuffix(oneSpace(s), "…"); s != "" && strings.Contains(r.said, s) {
			return true
		}
	}
	return false
}

// carry adds what a model wrote of the session before, behind what came later: of that it
// was not asked again.
func carry(c, before *sage.Checkpoint) {
	c.CoreQuestion = cmp.Or(before.CoreQuestion, c.CoreQuestion)
	c.KeyEvidence = lists.Union(c.KeyEvidence, append([]string{before.Thesis}, before.KeyEvidence...))
	c.OpenQuestions = lists.Union(c.OpenQuestions, before.OpenQuestions)
	for _, x := range before.UniqueContributions {
		if !slices.Contains(c.UniqueContributions, x) {
			c.UniqueContributions = append(c.UniqueContributions, x)
		}
	}
}

// thesis is where it stands: what the model says, else what it says was decided or found
// last, else what the record by rules has.
func (r Result) thesis(before string) string {
	for _, list := range [][]Claim{{r.Thesis}, r.Decisions, r.Evidence} {
		if n := len(list); n > 0 && list[n-1].Text != "" {
			return list[n-1].Text
		}
	}
	return before
}

// mark says which model wrote it, and what that took.
func (r Result) mark() sage.Entry {
	m := map[string]any{"model": legible.OneLine(r.Use.Model), "input_tokens": int64(r.Use.Input), "output_tokens": int64(r.Use.Output)}
	if r.Use.Dollars > 0 {
		m["cost_usd"] = r.Use.Dollars
	}
	return sage.Entry{Key: sage.Distilled, Value: m}
}

// trace says where the record is from, and quotes what it sums up.
func (r Result) trace(before string, thought bool) string {
	var b strings.Builder
	if thought && before != "" {
		b.WriteString(before + "\n\n")
	}
	cost := ""
	if r.Use.Dollars > 0 {
		cost = fmt.Sprintf(", $%.4f", r.Use.Dollars)
	}
	fmt.Fprintf(&b, "Written by a model (%s; %d tokens in, %d out%s) from the conversation. It is unconfirmed.", cmp.Or(legible.OneLine(r.Use.Model), "unnamed"), r.Use.Input, r.Use.Output, cost)
	for _, list := range [][]Claim{{r.Question}, {r.Thesis}, r.Decisions, r.Evidence, r.Failures, r.Open} {
		for _, c := range list {
			if c.Text != "" && c.Text != legible.OneLine(c.Quote) {
				fmt.Fprintf(&b, "\n- Said: \"%s\"", legible.OneLine(c.Quote))
			}
		}
	}
	return b.String()
}

// Items are the facts as items, each with the situations in which it is wanted. taken
// reports whether there is an item of an id.
func (r Result) Items(session string, taken func(id string) bool) (out []*sage.Item) {
	given := map[string]bool{}
	for _, f := range r.Facts {
		id := propose.FreeID(propose.IDOf(f.Text), func(id string) bool { return given[id] || taken(id) })
		given[id] = true
		out = append(out, &sage.Item{
			ID: id, Type: sage.Knowledge, Content: f.Text,
			Keywords: propose.KeywordsOf(f.Text), When: f.When,
			Source: fmt.Sprintf("session %s: \"%s\"", session[:min(8, len(session))], legible.OneLine(f.Quote)),
			Extra:  []sage.Entry{r.mark()},
		})
	}
	return out
}

func texts(list []Claim) (out []string) {
	for _, c := range list {
		if c.Text != "" {
			out = append(out, c.Text)
		}
	}
	return out
}

func prefixed(with string, list []Claim) (out []string) {
	for _, s := range texts(list) {
		out = append(out, with+s)
	}
	return out
}
