//go:build unix

package gitstore_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// raw writes an object of any content into the repository r.
func raw(t *testing.T, w *storetest.World, typ, data string) string {
	t.Helper()
	st := loose.Store{Dir: w.Path("r/.git/objects"), Format: "sha1"}
	o := st.New(typ, []byte(data))
	if err := st.Write(o); err != nil {
		t.Fatal(err)
	}
	return o.ID
}

// rawCommit writes a commit with these files, by name and content, in order.
func rawCommit(t *testing.T, w *storetest.World, message, parent string, files ...string) string {
	t.Helper()
	var tree strings.Builder
	for i := 0; i < len(files); i += 2 {
		id, _ := hex.DecodeString(raw(t, w, "blob", files[i+1]))
		fmt.Fprintf(&tree, "100644 %s\x00%s", files[i], id)
	}
	head := "tree " + raw(t, w, "tree", tree.String()) + "\n"
	if parent != "" {
		head += "parent " + parent + "\n"
	}
	person := "A <a@example.com> 1767323045 +0000\n"
	return raw(t, w, "commit", head+"author "+person+"committer "+person+"\n"+message+"\n")
}

// Whatever a commit on a line holds that is no checkpoint of ours is named by what
// is wrong with it, each once, and takes no other line along.
func TestFsckNamesOddCommits(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	good := save(t, open(t, w, "r"), "good").ID
	text := w.Git("r", "show", good+":checkpoint.md") + "\n"
	trailer := func(kind string) string { return "odd\n\nSage-Format: 1\nSage-Kind: " + kind }
	agrees := "good\n\nSage-Format: 1\nSage-Kind: checkpoint"
	gone := strings.Repeat("ab", 20)
	cases := map[string]struct{ id, want string }{
		"users":      {rawCommit(t, w, agrees, w.Git("r", "rev-parse", "HEAD"), "checkpoint.md", text), "foreign: not a checkpoint"},
		"newer":      {rawCommit(t, w, "odd\n\nSage-Format: 3\nSage-Kind: checkpoint", good, "checkpoint.md", text), "newer-format: written by a newer"},
		"unknown":    {rawCommit(t, w, trailer("dream"), good, "checkpoint.md", text), "unknown-kind: a 'dream'"},
		"two-files":  {rawCommit(t, w, agrees, good, "a", "x", "checkpoint.md", text), "foreign: holds 1 file beside"},
		"no-file":    {rawCommit(t, w, trailer("checkpoint"), good, "a", "x"), "bad-format: has no checkpoint.md"},
		"unreadable": {rawCommit(t, w, trailer("merge"), good, "checkpoint.md", "---\n\t: [\n---\n"), "bad-format: "},
		"removes-0":  {rawCommit(t, w, trailer("tombstone"), good, "tombstone.yaml", ""), "bad-format: a tombstone that lists no checkpoints"},
		"no-list":    {rawCommit(t, w, trailer("tombstone")+"\nSage-Removes: "+gone, good, "a", "x"), "bad-format: has no tombstone.yaml"},
		"other-list": {rawCommit(t, w, trailer("tombstone")+"\nSage-Removes: "+strings.Repeat("cd", 20), good, "tombstone.yaml", "format: 1\nremoves:\n  - "+gone+"\n"), "bad-format: a tombstone whose file lacks"},
		"empty-text": {rawCommit(t, w, trailer("checkpoint"), good, "checkpoint.md", "thesis: emptied\n"), "damaged-object: 'odd': its text is empty"},
		"lost-tree":  {rawCommit(t, w, trailer("checkpoint"), good, "checkpoint.md", "thesis: tree\n"), "missing-object: 'odd': its tree is gone"},
		"lost-past":  {rawCommit(t, w, agrees, rawCommit(t, w, agrees+"\nSage-Trigger: manual", good, "checkpoint.md", text), "checkpoint.md", text), "missing-object: the commit is gone"},
		"lies":       {rawCommit(t, w, trailer("checkpoint"), good, "checkpoint.md", text), "foreign: the message of "},
	}
	for line, c := range cases {
		w.Git("r", "update-ref", "refs/sage/heads/"+line, c.id)
	}
	object := func(rev string) string {
		id := w.Git("r", "rev-parse", rev)
		return w.Path("r/.git/objects", id[:2], id[2:])
	}
	for _, f := range []string{object(cases["lost-tree"].id + "^{tree}"), object(cases["lost-past"].id + "~1")} {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	empty := object(cases["empty-text"].id + ":checkpoint.md")
	if err := os.Remove(empty); err != nil {
		t.Fatal(err)
	}
	w.Write(strings.TrimPrefix(empty, w.Dir+"/"), "")
	s := open(t, w, "r")
	found, err := s.Fsck.Findings(ctx)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]int{}
	for _, f := range found {
		said[f.Kind+": "+f.Detail]++
		if strings.Contains(f.String(), "\n") {
			t.Errorf("more than one line: %q", f.String())
		}
	}
	for line, c := range cases {
		n := 0
		for s := range said {
			if strings.HasPrefix(s, c.want) {
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s: nothing of %q in %v", line, c.want, said)
		}
	}
	if len(found) != len(cases) {
		t.Errorf("%d findings of %d odd commits: %v", len(found), len(cases), said)
	}
	wantList(t, subjects(t, s, gitstore.Query{Line: "main"}), "good")
}

// What lies where refs lie and is no ref is named by what it is, and is not waited
// for; nor is the rest of the check left out.
func TestFsckNamesOddFiles(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "good")
	dir := w.Path("r/.git/refs/sage/heads")
	if err := os.Symlink("/nowhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	w.Write("r/.git/refs/sage/heads/text", "no id\n")
	w.Write("r/.git/refs/sage/heads/denied", strings.Repeat("0", 39)+"g")
	w.Write("r/.git/refs/sage/tags/t", "ref: refs/heads/none\n")
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if op == fsx.OpOpen && filepath.Base(path) == "denied" {
			return syscall.EACCES
		}
		return nil
	})
	found, err := open(t, w, "r").Fsck.Findings(ctx)
	restore()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range found {
		got[filepath.Base(f.Subject)] = f.Kind + ": " + f.Detail
	}
	for name, want := range map[string]string{
		"text":   `broken-ref: the file holds "no id\n", not an id`,
		"denied": "unreadable: permission denied", "t": "symbolic-ref: points to refs/heads/none",
	} {
		if !strings.HasPrefix(got[name], want) {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}

// A pipe among the refs would keep git for ever: nobody waits, and it is named with
// what to do.
func TestFsckDoesNotWait(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	save(t, open(t, w, "r"), "good")
	pipe := w.Path("r/.git/refs/sage/heads/pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	found, err := open(t, w, "r").Fsck.Findings(ctx)
	if err == nil || !strings.Contains(err.Error(), pipe+"' is a pipe") {
		t.Errorf("%v %v", found, err)
	}
}

// The folder of derived files that a clone can bring along is named if it is not
// ours, and no link is followed out of it.
func TestFsckNamesForeignSidecar(t *testing.T) {
	for name, c := range map[string]struct {
		plant func(w *storetest.World) error
		want  string
	}{
		"ours":       {func(*storetest.World) error { return nil }, ""},
		"a link":     {func(w *storetest.World) error { return os.Symlink("/tmp", w.Path("r/.sage")) }, "is a symbolic link to '/tmp', not a folder"},
		"a file":     {func(w *storetest.World) error { w.Write("r/.sage/local", ""); return nil }, "is a file, not a folder"},
		"of another": {func(w *storetest.World) error { w.Write("r/.sage/local/id", "1234\n"); return nil }, "belongs to another repository"},
		"tracked files": {func(w *storetest.World) error {
			w.Write("r/.sage/local/x", "")
			w.Git("r", "add", "-f", ".sage")
			return nil
		}, "tracked by git"},
	} {
		w := storetest.New(t)
		w.Repo("r")
		s := open(t, w, "r")
		save(t, s, "good")
		if err := c.plant(w); err != nil {
			t.Fatal(err)
		}
		found, err := s.Fsck.Findings(ctx)
		got := fmt.Sprint(found)
		if err != nil || (c.want == "") != (len(found) == 0) || !strings.Contains(got, c.want) || len(found) > 0 && !found[0].Warning {
			t.Errorf("%s: %v %v, want %q", name, got, err, c.want)
		}
	}
}

// An object that git cannot read out of a pack: the pack is named once, and what of
// ours it held each.
func TestFsckNamesDamagedPack(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	one := save(t, open(t, w, "r"), "one")
	two := save(t, open(t, w, "r"), "two")
	w.Git("r", "repack", "-adq")
	packs, err := filepath.Glob(w.Path("r/.git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("%v %v", packs, err)
	}
	if err := os.RemoveAll(w.Path("r/.git/sage/backup.git")); err != nil { // which would bring it back
		t.Fatal(err)
	}
	b, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	for i := 12; i < len(b)-20; i++ {
		b[i] ^= 0x55
	}
	if err := os.Chmod(packs[0], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packs[0], b, 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := open(t, w, "r").Fsck.Findings(ctx)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, f := range found {
		kinds[f.Kind]++
		if f.Kind == "damaged-pack" && !strings.HasPrefix(filepath.Base(packs[0]), f.Subject) {
			t.Errorf("%v names another pack than %s", f, packs[0])
		}
	}
	if kinds["damaged-pack"] != 1 || kinds["missing-object"] == 0 {
		t.Errorf("%s and %s are in a damaged pack: %v", one.ID, two.ID, found)
	}
}
