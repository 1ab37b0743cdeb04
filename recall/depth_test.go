package recall_test

import (
	"errors"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

func TestShallowSavesThatNobodyAskedFor(t *testing.T) {
	m := newMemory(t, "")
	m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{DepthMessages: 8, DepthTokens: 2000} }
	for _, tt := range []struct {
		name             string
		trigger          sage.Trigger
		messages, tokens int
		asked            bool
		shallow          bool
	}{
		{"few messages", sage.Synthesis, 7, 9000, false, true},
		{"few tokens", sage.Synthesis, 8, 1999, false, true},
		{"just enough", sage.Synthesis, 8, 2000, false, false},
		{"nothing is known", sage.Synthesis, 0, 0, false, false},
		{"only messages are known", sage.TopicShift, 3, 0, false, true},
		{"asked for", sage.Synthesis, 1, 1, true, false},
		{"manual", sage.Manual, 1, 1, false, false},
		{"before compaction", sage.PreCompact, 1, 1, false, false},
		{"context is full", sage.ContextThreshold, 1, 1, false, false},
		{"a beginning", sage.ResearchStart, 1, 1, false, false},
		{"a hand-over", sage.Handoff, 1, 1, false, true},
	} {
		n := note(tt.name)
		n.Unasked = !tt.asked
		c := &n.Draft.Checkpoint
		c.Trigger, c.MessageCount, c.TokenEstimate = tt.trigger, tt.messages, tt.tokens
		if _, err := m.Save.Checkpoint(t.Context(), n); errors.Is(err, save.ErrShallow) != tt.shallow || !tt.shallow && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{} }
	n := note("no limits")
	n.Unasked, n.Draft.Checkpoint.Trigger, n.Draft.Checkpoint.MessageCount = true, sage.Synthesis, 1
	saveNote(t, m, n)
}
