package gitstore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A purge that was ended behind its move of the refs has records in the knowledge tree,
// and neither the index of them nor the journal knows: the next save finds that out,
// and fsck takes nothing for lost.
func TestPurgeEndedBehindItsMove(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	save(t, s, "one holds zebra")
	save(t, s, "two")
	sagePath := func(name string) string { return filepath.Join(w.Path("r"), ".git", "sage", name) }
	journal, err := os.ReadFile(sagePath("journal"))
	if err != nil {
		t.Fatal(err)
	}
	purge(t, s, gitstore.PurgeRequest{Match: "zebra"})
	if err := os.WriteFile(sagePath("journal"), journal, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(sagePath("purged")); err != nil {
		t.Fatal(err)
	}
	s = open(t, w, "r")
	found, err := s.Fsck.Findings(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if !f.Warning {
			t.Errorf("fsck: %+v", f)
		}
	}
	if got := save(t, s, "three"); got.Continues != "two" {
		t.Errorf("continues %q", got.Continues)
	}
	wantList(t, subjects(t, open(t, w, "r"), gitstore.Query{}), "three", "two", "one holds [PURGED]")
}
