package recall_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/similarity"
)

func TestRepeatsThatNobodyAskedFor(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	first := saveNote(t, m, note("release the colour picker on friday"))
	unasked := func(thesis string, change func(*sage.Checkpoint)) error {
		n := note(thesis)
		n.Unasked, n.Draft.Checkpoint.Trigger = true, sage.Synthesis
		if change != nil {
			change(&n.Draft.Checkpoint)
		}
		_, err := m.Save.Checkpoint(t.Context(), n)
		return err
	}
	for _, thesis := range []string{"release the colour picker on friday", "Release the colour picker on Friday."} {
		if err := unasked(thesis, nil); !errors.Is(err, similarity.ErrRepeats) || !strings.Contains(err.Error(), brief.ShortID(first.ID)) {
			t.Errorf("%q: %v", thesis, err)
		}
	}
	if err := unasked("release the colour picker on friday", func(c *sage.Checkpoint) { c.KeyEvidence = []string{"the tests pass"} }); err != nil {
		t.Errorf("with new evidence: %v", err)
	}
	for _, thesis := range []string{"do not release the colour picker on friday", "an altogether different matter", "release the translated colour picker on friday"} {
		if err := unasked(thesis, nil); err != nil {
			t.Errorf("%q: %v", thesis, err)
		}
	}
	again := saveNote(t, m, note("release the colour picker on friday")) // a person asked
	if len(again.Warnings) != 1 || !strings.HasSuffix(again.Warnings[0].Text, " already says the same: release the colour picker on friday") || strings.Contains(again.Warnings[0].Text, brief.ShortID(again.ID)) {
		t.Errorf("a repeat that was asked for: %q", again.Warnings)
	}
	for _, thesis := range []string{"release the colour picker on monday", "something else"} {
		if s := saveNote(t, m, note(thesis)); s.Warnings != nil {
			t.Errorf("%q: %q", thesis, s.Warnings)
		}
	}
	elsewhere := note("release the colour picker on friday")
	elsewhere.Draft.Line = "other"
	if s := saveNote(t, m, elsewhere); s.Warnings != nil {
		t.Errorf("on a line of its own: %q", s.Warnings)
	}
}
