package recall_test

import (
	"context"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// What holds something that the user refused is told by refs. Without them nothing of others
// counts as let through.
func TestRefusalsHoldWithoutRefs(t *testing.T) {
	m := newMemory(t, "")
	refused := &sage.Checkpoint{ID: "0123456789012345678901234567890123456789", Thesis: "Deploy on Fridays", Elsewhere: true}
	other := &sage.Checkpoint{ID: "9876543210987654321098765432109876543210", Thesis: "Deploy on Mondays", Elsewhere: true}
	if err := m.Provenance.Refuse(t.Context(), true, nil, refused); err != nil {
		t.Fatal(err)
	}
	if !m.Provenance.IsRefusedCheckpoint(t.Context(), refused) || m.Provenance.IsRefusedCheckpoint(t.Context(), other) {
		t.Fatal("one of two was refused")
	}
	none, cancel := context.WithCancel(t.Context())
	cancel() // refs are not read any more
	if !m.Provenance.IsRefusedCheckpoint(none, other) {
		t.Error("what is not known to be refused was let through")
	}
}
