package recall_test

import (
	"errors"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/save"
)

func TestUnsureSavesThatNobodyAskedFor(t *testing.T) {
	m := newMemory(t, "")
	low := 0.1
	n := note("Nobody knows.")
	n.Unasked, n.Draft.Checkpoint.Trigger, n.Draft.Checkpoint.Confidence = true, sage.Synthesis, &low
	if _, err := m.Save.Checkpoint(t.Context(), n); !errors.Is(err, save.ErrUnsure) {
		t.Errorf("it was saved: %v", err)
	}
	n.Draft.Checkpoint.Confidence = nil
	saveNote(t, m, n)
	n = note("Somebody knows.")
	n.Draft.Checkpoint.Trigger, n.Draft.Checkpoint.Confidence = sage.Synthesis, &low
	saveNote(t, m, n)
}
