package recall_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/prompts"
)

// Where what search makes cannot be kept, it is made in memory: the answer is the same.
func TestRecallWithoutFiles(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	var told []string
	m.Stores.Warn = func(err error) { told = append(told, err.Error()) }
	it := item("rollout", sage.Knowledge, "The rollout of the release needs two people.")
	it.Item.Keywords = []string{"rollout"}
	write(t, m, it)
	must(t, m.Stores.Drop(t.Context()))
	id := filepath.Join(m.Store.Repo.CommonDir(), "sage", "id")
	must(t, os.WriteFile(id, []byte("none\n"), 0o600))
	told = nil
	r, err := m.Prompts.Recall(t.Context(), "who does the rollout?", prompts.RecallOptions{})
	if err != nil || len(r.Items) != 1 || r.Items[0].Item.ID != "rollout" || !r.Items[0].Vector {
		t.Errorf("%+v %v", r, err)
	}
	if all := strings.Join(told, "\n"); !strings.Contains(all, "the search index cannot be stored: ") || !strings.Contains(all, "delete it") {
		t.Errorf("told %q", all)
	}
	if _, err := os.Stat(m.Store.Knowledge.SidecarDir()); !os.IsNotExist(err) {
		t.Errorf("files: %v", err)
	}
}
