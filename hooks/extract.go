package hooks

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
)

const (
	maxQuestion = 300 // characters of what a person asked
	maxThesis   = 400
	mostFound   = 8 // conclusions that carry a thesis
)

// asked is the question that the session turns on, as far as words tell: the last that a
// person ended with a question mark, or else what was said first of what is known.
func (t *trail) asked() string {
	opening := ""
	for i := len(t.digest.Texts) - 1; i >= 0; i-- {
		x := t.digest.Texts[i]
		if !x.Person {
			continue
		}
		if q := questionIn(x.Text); q != "" {
			return q
		}
		opening = x.Text
	}
	return brief(opening, maxQuestion)
}

// questionIn is the first line of a text that asks something.
func questionIn(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasSuffix(line, "?") {
			return brief(line, maxQuestion)
		}
	}
	return ""
}

// brief is a text on one line, cut.
func brief(s string, n int) string { return cut(sage.OneLine(s), n) }

// answered is what the agent said last. The transcript may not have it yet.
func (e *event) answered(t *trail) string {
	said, err := e.clean(e.input.Answer, maxPrompt)
	if err == nil && said != "" {
		return said
	}
	for i := len(t.digest.Texts) - 1; i >= 0; i-- {
		if x := t.digest.Texts[i]; !x.Person {
			return x.Text
		}
	}
	return ""
}

// found are the conclusions and constraints in the last answer: what is said to be decided
// first, then conclusions, and what only limits them last.
func (e *event) found(t *trail) []string {
	var decided, concluded, limits []string
	for _, p := range recall.Propose(e.answered(t)) {
		text := brief(cmp.Or(p.Item.Content, p.Item.Approach), maxThesis)
		switch {
		case text == "":
		case p.Decides != "":
			decided = append(decided, brief(p.Decides, maxThesis))
			if rest := strings.TrimSpace(strings.TrimPrefix(p.Item.Content, p.Decides)); rest != "" && rest != p.Item.Content {
				concluded = append(concluded, brief(rest, maxThesis))
			}
		case p.Why == "conclusion":
			concluded = append(concluded, text)
		case p.Why == "constraint":
			limits = append(limits, text)
		}
	}
	out := slices.Concat(decided, concluded, limits)
	return out[:min(len(out), mostFound+1)]
}

// concluded is what the last answer holds, "" if words do not tell.
func (e *event) concluded(t *trail) string {
	return append(e.found(t), "")[0]
}

// saveSilently saves what can be told without a model: the conclusion of the last
// answer, with what else it holds. The next real checkpoint continues it and says it
// better. Where there is none, nothing is saved.
func (e *event) saveSilently(ctx context.Context, t *trail, m *moment) (string, error) {
	found := e.found(t)
	if len(found) == 0 && m.said != "" {
		found = []string{m.said}
	}
	if len(found) == 0 {
		return "", nil
	}
	c := sage.Checkpoint{
		Trigger: m.trigger, CoreQuestion: t.asked(), Thesis: found[0], KeyEvidence: found[1:],
		ReasoningTrace: "Taken from the last answer by rules, because of " + m.why + ": nobody has looked at it.",
		MessageCount:   t.messages(), TokenEstimate: t.tokens(), Agent: "git-sage",
	}
	t.code().addTo(&c)
	e.mem.Around = nil // the trail is read already, and locked
	saved, err := e.mem.Save(ctx, recall.Note{Unasked: true, Draft: gitstore.Draft{Checkpoint: c, Automatic: true}})
	if errors.Is(err, recall.ErrShallow) || errors.Is(err, recall.ErrRepeats) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	t.memo.Saved = t.here(saved.ID)
	return reply(map[string]any{"systemMessage": "git-sage saved " + saved.ID[:8] + " by itself, " + m.why + ": " + brief(c.Thesis, 100)})
}
