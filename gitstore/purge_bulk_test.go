package gitstore_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Among so many objects that they are read in bulk a purge finds what is written
// otherwise than it reads, and again when an earlier purge has left its record.
func TestPurgeFindsOneOfMany(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "config", "sage.durable", "false")
	s := open(t, w, "r")
	old := save(t, s, "the first thesis")
	save(t, s, "a second thesis")
	files := map[string][]byte{}
	for i := range 600 {
		files[fmt.Sprintf("knowledge/%02x/item-%d.md", i%16, i)] = fmt.Appendf(nil, "---\ntitle: %d\n---\nText.\n", i)
	}
	for name, text := range map[string]string{
		"escaped": "---\ntitle: \"\\x68unter22\"\n---\n",
		"whole":   "---\ntitle: hunter33\n---\n",
		"joined":  "---\ntitle: \"hun\\\n  ter44\"\n---\n",
	} {
		files["knowledge/00/"+name+".md"] = []byte(text)
	}
	if err := s.Tree.WriteFiles(ctx, "import", files); err != nil {
		t.Fatal(err)
	}
	for _, req := range []gitstore.PurgeRequest{{Match: "^hunter(22|44)$"}, {Revs: []string{old.ID}}, {Match: "hunter[0-9]+"}} {
		done, err := s.Purge.Run(ctx, req)
		if err != nil || len(done.Left) > 0 {
			t.Fatalf("purge %+v: %v, left %v", req, err, done.Left)
		}
	}
	for _, name := range []string{"escaped", "whole", "joined"} {
		if got := w.Git("r", "cat-file", "blob", "refs/sage/knowledge:knowledge/00/"+name+".md"); !strings.Contains(got, `title: "[PURGED]"`) {
			t.Errorf("%s holds %q", name, got)
		}
	}
	if got := w.Git("r", "cat-file", "blob", "refs/sage/knowledge:knowledge/0f/item-15.md"); got != "---\ntitle: 15\n---\nText." {
		t.Errorf("a file that has nothing to do with it holds %q", got)
	}
	nowhere(t, w, "r", "hunter")
	nowhere(t, w, "r", "x68unter")
}

// Of many objects that nothing reaches, which are read in bulk, only ours that hold
// what is purged go.
func TestPurgeAmongManyDangling(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "config", "sage.durable", "false")
	s := open(t, w, "r")
	save(t, s, "one")
	args := []string{"hash-object", "-w"}
	for i := range 601 {
		text := fmt.Sprintf("yours, %d", i)
		if i == 600 {
			text = "---\ntype: checkpoint\n---\nthe zebra of a save that was killed\n"
		}
		name := fmt.Sprintf("texts/%d", i)
		w.Write(name, text)
		args = append(args, w.Path(name))
	}
	ids := strings.Fields(w.Git("r", args...))
	done, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: "zebra|yours, 7"})
	if err != nil || done.Objects != 1 {
		t.Errorf("%d objects removed, %v, want the one of ours", done.Objects, err)
	}
	nowhere(t, w, "r", "zebra")
	for _, id := range ids[:600] {
		if _, err := os.Stat(object(w, id)); err != nil {
			t.Fatalf("an object of the user's is gone: %v", err)
		}
	}
}
