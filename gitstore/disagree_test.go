package gitstore_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A conflict that somebody wrote by hand is named as one that a merge left.
func TestConflictThatNoMergeLeftIsNamed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	writeItems(t, open(t, w, "r"), gitstore.ItemChange{Item: &sage.Item{ID: "door", Content: "Shut."}})
	e := item(t, open(t, w, "r"), "door")
	text := strings.Replace(string(codec.MarshalItem(e.Item)), "\n---\n", "\ndeleted_by:\n  - 0123456789abcdef0123456789abcdef01234567\n---\n", 1)
	file := w.Path("text")
	must(t, os.WriteFile(file, []byte(text), 0o644))
	blob := strings.TrimSpace(w.Git("r", "hash-object", "-w", file))
	w.Git("r", "read-tree", "refs/sage/knowledge")
	w.Git("r", "update-index", "--cacheinfo", "100644,"+blob+","+e.Path)
	tree := strings.TrimSpace(w.Git("r", "write-tree"))
	commit := strings.TrimSpace(w.Git("r", "commit-tree", tree, "-p", "refs/sage/knowledge", "-m", "edit item door\n\nSage-Format: 1\nSage-Kind: knowledge"))
	w.Git("r", "update-ref", "refs/sage/knowledge", commit)
	s := open(t, w, "r")
	if now := item(t, s, "door"); len(merge.Conflicts(now.Sent())) == 0 {
		t.Fatalf("it is not in conflict: %+v", now)
	}
	st, err := s.Status(t.Context())
	if err != nil || !slices.Equal(st.Disagree, []string{e.Path}) {
		t.Errorf("status names %v, %v", st.Disagree, err)
	}
}
