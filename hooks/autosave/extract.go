package autosave

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/propose"
	"github.com/git-sage/git-sage/recall/save"
)

const (
	maxQuestion = 300 // characters of what a person asked
	maxThesis   = 400
	mostFound   = 8       // conclusions that carry a thesis
	maxHeard    = 8 << 10 // bytes of a prompt or an answer that are looked at: what somebody pastes is longer
)

// coreQuestion is the question that the session turns on, as far as words tell: the last that a
// person ended with a question mark, or else what was said first of what is known.
func (t *trail) coreQuestion() string {
	opening := ""
	for i := len(t.Digest.Texts) - 1; i >= 0; i-- {
		x := t.Digest.Texts[i]
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
func brief(s string, n int) string { return cut.Runes(legible.OneLine(s), n) }

// answered is what the agent said last. The transcript may not have it yet.
func (t *turn) answered() string {
	said, err := t.Clean(t.Answer, maxHeard)
	if err == nil && said != "" {
		return said
	}
	for i := len(t.Digest.Texts) - 1; i >= 0; i-- {
		if x := t.Digest.Texts[i]; !x.Person {
			return x.Text
		}
	}
	return ""
}

// sentenceOf is the sentence that a moment is about: the one that told of it, or else what
// the last answer concludes. Where the person agreed, or went on to something else, it is
// what the agent concluded before that. It is "" where words do not tell.
func (t *turn) sentenceOf(m *moment) string {
	if m.said != "" || !m.before {
		return cmp.Or(m.said, append(conclusionsIn(t.answered()), "")[0])
	}
	_, said := t.lastSaid()
	for _, x := range slices.Backward(t.Digest.Texts) {
		if x.Offset < t.Memo.Saved.Offset {
			break
		}
		if list := conclusionsIn(x.Text); !x.Person && x.Offset < said && len(list) > 0 {
			return list[0]
		}
	}
	return ""
}

// conclusionsIn are the conclusions and constraints in an answer: what is said to be
// decided first, then conclusions, and what only limits them last.
func conclusionsIn(answer string) []string {
	var decided, concluded, limits []string
	for _, p := range propose.From(answer) {
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

// saveSilently saves what can be told without a model: the conclusion of the last
// answer, with what else it holds. The next real checkpoint continues it and says it
// better. Where there is none, nothing is saved. Nobody is told.
func (t *turn) saveSilently(ctx context.Context, m *moment) error {
	found := conclusionsIn(t.answered())
	if len(found) == 0 && m.said != "" {
		found = []string{m.said}
	}
	if len(found) == 0 {
		return nil
	}
	c := sage.Checkpoint{
		Trigger: m.trigger, CoreQuestion: t.coreQuestion(), Thesis: found[0], KeyEvidence: found[1:],
		ReasoningTrace: "Extracted automatically from the last answer, because of " + m.why + ": unreviewed.",
		MessageCount:   t.messages(), TokenEstimate: t.tokens(), Agent: "git-sage",
	}
	t.AddCode(&c)
	t.Memory.Stores.Around = nil // the trail is read already, and locked
	saved, err := t.Memory.Save.Checkpoint(ctx, save.Note{Unasked: true, Draft: gitstore.Draft{Checkpoint: c, Automatic: true}})
	if save.Declined(err) {
		return nil
	}
	if err != nil {
		return err
	}
	t.Memo.Saved = t.Here(saved.ID)
	if said := unsigned(saved); said != "" {
		t.Report(errors.New("saved " + saved.ID + said))
	}
	return nil
}

// unsigned says that a save is not signed, though its person signs: nobody is there to give
// a pin while a hook waits.
func unsigned(saved gitstore.Saved) string {
	if saved.Unsigned == "" {
		return ""
	}
	return " (" + legible.OneLine(saved.Unsigned) + ")"
}
