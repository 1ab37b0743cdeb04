package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
)

// How much is shown of one utterance to who is shown the newest of them, in characters.
const (
	maxUttered = 2000
	maxDone    = 160 // of a call of a tool, and of its answer
)

// LatestSaid is the end of the conversation that led to a checkpoint, in some maxChars
// characters: the newest of it first chosen, in the order in which it was said. Of one that is
// cut, hint says how to see all. It is "" if no conversation is kept.
func (se *Session) LatestSaid(ctx context.Context, id string, maxChars int, hint func(remedy.Remedy) string) (string, error) {
	c, err := se.stores.Store.Transcripts.Conversation(ctx, id)
	if errors.Is(err, gitstore.ErrNoConversation) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer c.Close()
	parts, all, err := latest(c, maxChars)
	if err != nil || len(parts) == 0 {
		return "", err
	}
	head := fmt.Sprintf("## The conversation until then (session %s)\n", brief.Line(c.Session, 60))
	if !all {
		head += fmt.Sprintf("Older messages are left out, and long ones are cut: %s.\n", hint(remedy.ShowConversation.On(brief.ShortID(c.Checkpoint))))
	}
	return brief.Defuse(head + "\n" + strings.Join(parts, "\n") + "\n"), nil
}

// latest is what there is room for, and whether that is all.
func latest(c *gitstore.Conversation, room int) (parts []string, all bool, err error) {
	for i := c.Chunks - 1; i >= 0; i-- {
		said, err := c.Chunk(i)
		if err != nil {
			return nil, false, err
		}
		for _, u := range slices.Backward(said) {
			part := Uttered(u, maxUttered)
			if room -= brief.Units(part) + 1; room < 0 {
				slices.Reverse(parts)
				return parts, false, nil
			}
			parts = append(parts, part)
		}
	}
	slices.Reverse(parts)
	return parts, true, nil
}

// Uttered is an utterance for people, who spoke and when and what, without a line end at
// its end. What tools are given and answer is one line; of all else at most so many
// characters are shown, 0 is all.
func Uttered(u gitstore.Utterance, most int) string {
	when := "                    "
	if !u.Time.IsZero() {
		when = u.Time.UTC().Format("2006-01-02 15:04:05Z")
	}
	text := u.Text
	if most > 0 {
		text = cut.Units(text, most)
	}
	switch u.Who {
	case gitstore.ByCall:
		return fmt.Sprintf("%s  agent calls %s %s", when, brief.Line(u.Tool, 80), brief.Line(u.Text, maxDone))
	case gitstore.ByAnswer:
		return fmt.Sprintf("%s  %s %s (%d bytes): %s", when, cmp.Or(brief.Line(u.Tool, 80), "a tool"), answers(u.Failed), len(u.Text), brief.Line(u.Text, maxDone))
	case gitstore.ByContext:
		by := "the client"
		if u.Tool != "" {
			by = brief.Line(u.Tool, 80)
		}
		return fmt.Sprintf("%s  context, added by %s\n%s", when, by, indented("  | ", text))
	case gitstore.BySummary:
		return fmt.Sprintf("%s  the client's summary of what came before\n%s", when, indented("    ", text))
	case gitstore.ByNote:
		return fmt.Sprintf("%s  [%s]", when, brief.Line(strings.Trim(u.Text, "[]"), 200))
	}
	return fmt.Sprintf("%s  %s\n%s", when, brief.Line(string(u.Who), 20), indented("    ", text))
}

func answers(failed bool) string {
	if failed {
		return "failed"
	}
	return "answered"
}

// indented is a text with something before each line.
func indented(with, text string) string {
	var b strings.Builder
	for l := range strings.Lines(strings.TrimSpace(text)) {
		b.WriteString(with + legible.Visible(strings.TrimRight(l, "\n")) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
