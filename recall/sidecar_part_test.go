package recall_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/search"
)

// What is searched of what came from elsewhere, in bytes: of one, of all, and of each beyond
// that.
const mostOfForeign, mostForeign, leastSearched = 16 << 10, 4 << 20, 1 << 10

// Many and long items that somebody else wrote take no longer than few: what is searched of
// them is bounded, whenever they come, and whoever confirms one has all of it searched.
func TestForeignItemsAreSearchedInPart(t *testing.T) {
	theirs, m := newMemory(t, ""), newMemory(t, "")
	fetch := func(from, to int) {
		t.Helper()
		var all []gitstore.ItemChange
		for i := from; i < to; i++ {
			text := fmt.Sprintf("Rule %d. ", i) + strings.Repeat(fmt.Sprintf("Word%d is said. ", i), (mostOfForeign+4096)/16) + fmt.Sprintf("Ending%d.", i)
			all = append(all, gitstore.ItemChange{Item: &sage.Item{ID: fmt.Sprintf("rule-%d", i), Type: sage.Knowledge, Content: text}})
		}
		if _, err := theirs.Store.Knowledge.WriteItems(t.Context(), "", all...); err != nil {
			t.Fatal(err)
		}
		fetch := exec.Command("git", "fetch", "-q", theirs.Store.Repo.CommonDir(), "+refs/sage/knowledge:refs/sage/knowledge")
		fetch.Dir, fetch.Env = filepath.Dir(m.Store.Repo.CommonDir()), storetest.Env(m.Stores.Home)
		if out, err := fetch.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	searched := func() (bytes, chunks int, of map[string]int) {
		t.Helper()
		if _, err := m.Stores.Refresh(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		sources, err := m.Stores.Sources(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer sources.Close()
		of = map[string]int{}
		err = sources[0].Index.Each(func(d *index.Meta) bool {
			of[doc.ID(d.Key)], bytes = d.Part, bytes+d.Part
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		st, err := sources[0].Index.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return bytes, st.Chunks, of
	}
	const whole = mostForeign / mostOfForeign
	fetch(0, whole-1)
	if bytes, chunks, _ := searched(); bytes != (whole-1)*mostOfForeign || chunks > bytes/256 {
		t.Errorf("%d bytes in %d pieces", bytes, chunks)
	}
	fetch(whole-1, whole+20)
	bytes, chunks, of := searched()
	if bytes != mostForeign+20*leastSearched || chunks > bytes/256 {
		t.Errorf("with more: %d bytes in %d pieces", bytes, chunks)
	}
	found := func(word string) bool {
		t.Helper()
		r, err := m.Search.Find(t.Context(), word, search.SearchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Items) > 0 && !r.Weak
	}
	last := fmt.Sprint(whole + 19)
	if of["rule-"+last] != leastSearched && of["rule-"+fmt.Sprint(whole)] != leastSearched {
		t.Errorf("%d of the last", of["rule-"+last])
	}
	if !found("word"+last) || found("ending"+last) {
		t.Error("not its beginning, or its end")
	}
	if _, _, err := m.Write.Confirm(t.Context(), []string{"rule-" + last}); err != nil {
		t.Fatal(err)
	}
	if !found("ending" + last) {
		t.Error("confirmed, it is not searched to its end")
	}
}

// A checkpoint that somebody else wrote is searched in part, however long its lists are,
// until somebody here confirms it; one's own is searched as it is.
func TestForeignCheckpointsAreSearchedInPart(t *testing.T) {
	theirs, m := newMemory(t, ""), newMemory(t, "")
	c := sage.Checkpoint{CoreQuestion: "Which parser?", Thesis: "Ours is written by hand."}
	for range 40_000 {
		c.KeyEvidence = append(c.KeyEvidence, "slow")
	}
	c.KeyEvidence = append(c.KeyEvidence, "lookahead")
	saved, err := theirs.Store.Checkpoints.Save(t.Context(), gitstore.Draft{Checkpoint: c})
	if err != nil {
		t.Fatal(err)
	}
	fetch := exec.Command("git", "fetch", "-q", theirs.Store.Repo.CommonDir(), "+refs/sage/heads/main:refs/sage/heads/theirs")
	fetch.Dir, fetch.Env = filepath.Dir(m.Store.Repo.CommonDir()), storetest.Env(m.Stores.Home)
	if out, err := fetch.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := func(m *recall.Memory, word string) []search.Found {
		t.Helper()
		r, err := m.Search.Find(t.Context(), word, search.SearchOptions{Checkpoints: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Weak {
			return nil
		}
		return r.Checkpoints
	}
	if len(found(theirs, "lookahead")) == 0 {
		t.Error("where it was saved, it is not searched to its end")
	}
	if f := found(m, "parser"); len(f) == 0 || len(f[0].KeyEvidence) > 20_000 || len(found(m, "lookahead")) > 0 {
		t.Error("more or less than its beginning is read")
	}
	if whole, err := m.Store.Commits.Load(t.Context(), saved.ID); err != nil || len(whole.KeyEvidence) != len(c.KeyEvidence) {
		t.Errorf("not all of it is shown: %v", err)
	}
	if _, now, err := m.Write.ConfirmCheckpoint(t.Context(), saved.ID); err != nil || !now {
		t.Fatal(now, err)
	}
	if len(found(m, "lookahead")) == 0 {
		t.Error("confirmed, it is not searched to its end")
	}
}
