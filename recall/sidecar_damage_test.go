package recall_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
)

// What is damaged is made anew for the prompt that finds it so: the answer is the one of
// a rebuild, and health says that it happened.
// It is case A11.
func TestDamageIsHealedAtOnce(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	it := item("rollout", sage.Knowledge, "The rollout of the release needs two people.")
	it.Item.Keywords = []string{"rollout"}
	write(t, m, it)
	if h, err := m.Stores.SearchHealth(t.Context()); err != nil || h.Documents != 1 || h.Missing > 0 || h.Behind || !h.Healed.IsZero() {
		t.Errorf("before: %+v %v", h, err)
	}
	want, err := m.Prompts.Recall(t.Context(), "who does the rollout?", prompts.RecallOptions{})
	if err != nil || len(want.Items) != 1 {
		t.Fatalf("%+v %v", want, err)
	}
	segments, _ := filepath.Glob(filepath.Join(m.Store.Knowledge.SidecarDir(), "*.seg"))
	if len(segments) != 2 {
		t.Fatal(segments)
	}
	for i := range segments {
		// Each time other files, since the damaged ones are replaced.
		segments, _ := filepath.Glob(filepath.Join(m.Store.Knowledge.SidecarDir(), "*.seg"))
		b, err := os.ReadFile(segments[i])
		if err != nil {
			t.Fatal(err)
		}
		for at := 1024; at < len(b); at += 16 {
			b[at] ^= 0x10
		}
		must(t, os.WriteFile(segments[i], b, 0o600))
		got, err := m.Prompts.Recall(t.Context(), "who does the rollout?", prompts.RecallOptions{})
		if err != nil || len(got.Items) != 1 || got.Items[0].Score != want.Items[0].Score {
			t.Fatalf("%s: %+v %v, want %+v", segments[i], got, err, want)
		}
		h, err := m.Stores.SearchHealth(t.Context())
		if err != nil || h.Documents != 1 || h.Missing > 0 || time.Since(h.Healed) > time.Hour || h.Files != i+1 || h.Why == "" {
			t.Errorf("%s: %+v %v", segments[i], h, err)
		}
	}
}

func TestTidy(t *testing.T) {
	m := newMemory(t, "")
	write(t, m, item("one", sage.Knowledge, "First."), item("two", sage.Knowledge, "Second."))
	if got, err := m.Stores.Tidy(t.Context()); err != nil || got != (recall.Tidied{Documents: 2}) {
		t.Errorf("%+v %v", got, err)
	}
	segments, _ := filepath.Glob(filepath.Join(m.Store.Knowledge.SidecarDir(), "docs*.seg"))
	if len(segments) != 1 {
		t.Fatal(segments)
	}
	must(t, os.Truncate(segments[0], 1500))
	if got, err := m.Stores.Tidy(t.Context()); err != nil || got.Documents != 2 {
		t.Errorf("%+v %v", got, err)
	}
	segments, _ = filepath.Glob(filepath.Join(m.Store.Knowledge.SidecarDir(), "docs*.seg"))
	b, err := os.ReadFile(segments[0])
	if err != nil {
		t.Fatal(err)
	}
	for at := 1024; at < len(b); at += 16 {
		b[at] ^= 0x10
	}
	must(t, os.WriteFile(segments[0], b, 0o600))
	if got, err := m.Stores.Tidy(t.Context()); err != nil || got != (recall.Tidied{Documents: 2, Damaged: true}) {
		t.Errorf("%+v %v", got, err)
	}
	if h, err := m.Stores.SearchHealth(t.Context()); err != nil || h.Files != 2 {
		t.Errorf("%+v %v", h, err)
	}
}
