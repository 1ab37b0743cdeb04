package recall_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/rank"
)

func TestThresholdIsLearned(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	write(t, m, item("when", "knowledge", "release every friday afternoon"))
	ask := func() *rank.Ranking {
		if _, err := m.Prompts.Recall(t.Context(), "release on friday", prompts.RecallOptions{Titles: true, Quick: true}); err != nil {
			t.Fatal(err)
		}
		l, err := m.Stores.Sources(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return m.Search.Ranking(t.Context(), l[0], false)
	}
	for range 39 {
		if r := ask(); r.Learned != 0 || r.LearnedTitle != 0 {
			t.Fatalf("learned of too few: %+v", r)
		}
	}
	if r := ask(); r.Learned != 0.70 { // which all of them reach
		t.Errorf("learned %.2f", r.Learned)
	}
	file := filepath.Join(m.Store.Knowledge.SidecarDir(), "prompts.json")
	must(t, os.WriteFile(file, []byte("x"), 0o600))
	if r := ask(); r.Learned != 0 {
		t.Errorf("of a damaged file: %.2f", r.Learned)
	}
}
