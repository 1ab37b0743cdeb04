package gitstore_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Of many files in the knowledge tree, which are read in runs, one that is gone
// is found, and so is one that is not what its name says. Who asks only how things
// are is told that not all was read.
func TestFsckFindsOneOfMany(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "config", "sage.durable", "false")
	s := open(t, w, "r")
	save(t, s, "one")
	files := map[string][]byte{}
	for i := range 1200 {
		files[itemFile(fmt.Sprintf("item-%d", i))] = fmt.Appendf(nil, "---\nid: item-%d\ntype: knowledge\n---\n\nText.\n", i)
	}
	last := itemFile("item-1199")
	alone := map[string][]byte{last: files[last]} // not in the pack of the others
	delete(files, last)
	for _, files := range []map[string][]byte{files, alone} {
		if err := s.Tree.WriteFiles(ctx, "import", files); err != nil {
			t.Fatal(err)
		}
	}
	if got := kindsOf(t, s); len(got) > 0 {
		t.Errorf("a whole tree: fsck says %v", got)
	}
	for _, d := range s.Doctor.Diagnose(ctx) {
		if d.Name == "memory" && (d.State != gitstore.StateOK || len(d.More) == 0) {
			t.Errorf("doctor says %q of what it read a part of", d.Detail)
		}
	}
	id := w.Git("r", "rev-parse", KnowledgeRef+":"+itemFile("item-1199"))
	lose(w, id)
	if got := strings.Join(kindsOf(t, s), " "); got != "missing-object" {
		t.Errorf("a file is gone: fsck says %q", got)
	}
	w.Write("r/.git/objects/"+id[:2]+"/"+id[2:], "no object")
	if got := strings.Join(kindsOf(t, s), " "); got != "damaged-object" {
		t.Errorf("a file is damaged: fsck says %q", got)
	}
}

// itemFile is where an item lies.
func itemFile(id string) string {
	sum := sha256.Sum256([]byte(id))
	return fmt.Sprintf("knowledge/%x/%s.md", sum[:1], id)
}
