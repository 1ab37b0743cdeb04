package gitstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Where one clone made a file and another a folder of that name, both are kept, the
// file beside; what both removed is gone; and all have the same tree.
func TestMergeFetchedFileAndFolder(t *testing.T) {
	w, a, b := pair(t, "root")
	writeFile(t, a, "knowledge/gone.md", "both remove it\n")
	fetch(w, "b", "a")
	acts(t, b)
	writeFile(t, a, "knowledge/gone.md", "")
	writeFile(t, b, "knowledge/gone.md", "")
	writeFile(t, a, "knowledge/x.d", "a file\n")
	writeFile(t, b, "knowledge/x.d/y.md", "in a folder\n")
	inA, inB := exchange(t, w, a, b)
	wantActs(t, inA+"; "+inB, "merged knowledge; merged knowledge")
	wantFile(t, a, "knowledge/x.d/y.md", "in a folder\n")
	files, err := b.Files(ctx, "knowledge")
	if err != nil || len(files) != 2 {
		t.Fatalf("%q %v", files, err)
	}
	beside := files[0]
	if strings.HasSuffix(beside, "/y.md") {
		beside = files[1]
	}
	if !strings.HasPrefix(filepath.Base(beside), "x-") || !strings.HasSuffix(beside, ".d") {
		t.Errorf("beside: %q", files)
	}
	wantFile(t, b, beside, "a file\n")
}

// What is no file or folder in a tree that was fetched is refused with its name, and
// ours stays what it is.
func TestMergeFetchedOddModes(t *testing.T) {
	w, a, b := pair(t, "root")
	writeFile(t, a, "knowledge/x.md", "one\n")
	fetch(w, "b", "a")
	acts(t, b)
	writeFile(t, a, "knowledge/x.md", "ours\n")
	blob := w.Git("b", "hash-object", "-w", "a.txt")
	w.Write("b/list", "120000 blob "+blob+"\tx.md\n")
	w.Write("mk.sh", "git mktree --missing < list")
	sub := w.Git("b", "-c", "alias.mk=!sh ../mk.sh", "mk")
	w.Write("b/list", "040000 tree "+sub+"\tknowledge\n")
	root := w.Git("b", "-c", "alias.mk=!sh ../mk.sh", "mk")
	c := w.Git("b", "commit-tree", "-p", knowledgeRef, "-m", "odd\n\nSage-Format: 1\nSage-Kind: knowledge", root)
	w.Git("b", "update-ref", knowledgeRef, c)
	ours := tipOf(w, "a", knowledgeRef)
	fetch(w, "a", "b")
	out, err := a.MergeFetched(ctx)
	if err != nil || len(out) != 1 || out[0].Act != gitstore.FetchedRefused || !strings.Contains(out[0].Detail, "'knowledge/x.md' has mode 120000") {
		t.Errorf("%+v %v", out, err)
	}
	if now := tipOf(w, "a", knowledgeRef); now != ours {
		t.Errorf("ours moved to %s", now)
	}
	wantFile(t, a, "knowledge/x.md", "ours\n")
}

// The store of one's own is made whole or not at all, whatever fails, and the next
// who opens it makes it.
func TestOwnStoreIsMadeWhole(t *testing.T) {
	w := storetest.New(t)
	own := func(o *gitstore.Options) { o.Global = true }
	options := gitstore.Options{Global: true, Home: w.Path("home/.sage"), Env: w.Env, Now: storetest.Clock()}
	failed := func(what, want string) {
		t.Helper()
		_, err := gitstore.Open(ctx, options)
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Stat(w.Path("home/.sage/memory.git")); err == nil {
			t.Errorf("%s: a part of it is there", what)
		}
	}
	for _, op := range []fsx.Op{fsx.OpMkdir, fsx.OpRename} {
		restore := fsx.Inject(func(o fsx.Op, _ string) error {
			if o == op {
				return syscall.ENOSPC
			}
			return nil
		})
		failed(string(op), "no space left")
		restore()
	}
	g := w.FaultyGit()
	for _, how := range []storetest.How{storetest.Fail, storetest.Die} {
		g.Command("init", how)
		failed("git init: "+string(how), "make the store of your own")
	}
	g.Heal()
	options.Home = ""
	if _, err := gitstore.Open(ctx, options); err == nil || !strings.Contains(err.Error(), "set SAGE_HOME") {
		t.Errorf("no home: %v", err)
	}
	save(t, open(t, w, "", own), "mine")
	left, err := filepath.Glob(w.Path("home/.sage/.memory-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
	wantList(t, subjects(t, open(t, w, "", own), gitstore.Query{}), "mine")
}
