package gitstore_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Where one clone made a file and another a folder of that name, both are kept, the
// file beside; what both removed is gone; and all have the same tree.
func TestMergeFetchedFileAndFolder(t *testing.T) {
	w, a, b := pair(t, "root")
	writeFile(t, a, "skills/gone.md", "---\nid: x\n---\n\nboth remove it\n")
	fetch(w, "b", "a")
	acts(t, b)
	writeFile(t, a, "skills/gone.md", "")
	writeFile(t, b, "skills/gone.md", "")
	writeFile(t, a, "skills/x.md", "---\nid: x\n---\n\na file\n")
	writeFile(t, b, "skills/x.md/y.md", "---\nid: x\n---\n\nin a folder\n")
	inA, inB := exchange(t, w, a, b)
	wantActs(t, inA+"; "+inB, "merged knowledge; merged knowledge")
	wantFile(t, a, "skills/x.md/y.md", "---\nid: x\n---\n\nin a folder\n")
	files, err := b.Tree.Files(ctx, "skills")
	if err != nil || len(files) != 2 {
		t.Fatalf("%q %v", files, err)
	}
	beside := files[0]
	if strings.HasSuffix(beside, "/y.md") {
		beside = files[1]
	}
	if !strings.HasPrefix(filepath.Base(beside), "x-") || !strings.HasSuffix(beside, ".md") {
		t.Errorf("beside: %q", files)
	}
	wantFile(t, b, beside, "---\nid: x\n---\n\na file\n")
}

// What is no file or folder in a tree that was fetched is refused with its name, and
// ours stays what it is.
func TestMergeFetchedOddModes(t *testing.T) {
	w, a, b := pair(t, "root")
	writeFile(t, a, "knowledge/2d/x.md", "---\nid: x\n---\n\nfirst\n")
	fetch(w, "b", "a")
	acts(t, b)
	writeFile(t, a, "knowledge/2d/x.md", "---\nid: x\n---\n\nours\n")
	blob := w.Git("b", "hash-object", "-w", "a.txt")
	w.Write("b/list", "120000 blob "+blob+"\tx.md\n")
	w.Write("mk.sh", "git mktree --missing < list")
	sub := w.Git("b", "-c", "alias.mk=!sh ../mk.sh", "mk")
	w.Write("b/list", "040000 tree "+sub+"\t2d\n")
	sub = w.Git("b", "-c", "alias.mk=!sh ../mk.sh", "mk")
	w.Write("b/list", "040000 tree "+sub+"\tknowledge\n")
	root := w.Git("b", "-c", "alias.mk=!sh ../mk.sh", "mk")
	c := w.Git("b", "commit-tree", "-p", KnowledgeRef, "-m", "odd\n\nSage-Format: 1\nSage-Kind: knowledge", root)
	w.Git("b", "update-ref", KnowledgeRef, c)
	ours := tipOf(w, "a", KnowledgeRef)
	fetch(w, "a", "b")
	out, err := a.Exchange.MergeFetched(ctx)
	if err != nil || len(out) != 1 || out[0].Act != gitstore.FetchedRefused || !strings.Contains(out[0].Detail.Text, "'knowledge/2d/x.md' has a name or mode (120000) that is not allowed there") {
		t.Errorf("%+v %v", out, err)
	}
	if now := tipOf(w, "a", KnowledgeRef); now != ours {
		t.Errorf("ours moved to %s", now)
	}
	wantFile(t, a, "knowledge/2d/x.md", "---\nid: x\n---\n\nours\n")
}

// A knowledge tree that our own check would complain of, or that nobody can walk, is
// refused; a folder that stands in it many times is not walked as often.
func TestMergeFetchedRefusesOddTrees(t *testing.T) {
	w, a, _ := pair(t, "root")
	writeFile(t, a, "knowledge/2d/x.md", "---\nid: x\n---\n\nours\n")
	ours := tipOf(w, "a", KnowledgeRef)
	mktree := func(entry string) string {
		w.Write("a/list", entry)
		w.Write("mk.sh", "git mktree --missing < list")
		return w.Git("a", "-c", "alias.mk=!sh ../mk.sh", "mk")
	}
	raw := func(data string) string {
		w.Write("a/raw", data)
		return w.Git("a", "hash-object", "-t", "tree", "-w", "--literally", "raw")
	}
	w.Write("a/theirs", "---\nid: x\nbranches: []\n---\n\ntheirs\n") // an item, and the note of a line
	blob := w.Git("a", "hash-object", "-w", "theirs")
	file := "100644 blob " + blob + "\t"
	bin, err := hex.DecodeString(blob)
	if err != nil {
		t.Fatal(err)
	}
	code := mktree("040000 tree " + mktree(file+"main.go\n") + "\tsrc\n")
	var items, shards, notes strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&items, "%si%d.md\n", file, i)
	}
	shard := mktree(items.String())
	for i := range 256 {
		fmt.Fprintf(&shards, "040000 tree %s\t%02x\n", shard, i)
	}
	many := mktree("040000 tree " + mktree(shards.String()) + "\tknowledge\n")
	for i := range 10_001 {
		fmt.Fprintf(&notes, "%sl%d.yaml\n", file, i)
	}
	lines := mktree("040000 tree " + mktree(notes.String()) + "\tlines\n")
	for root, want := range map[string]string{
		raw("100644 ..\x00" + string(bin)):                               "'..' has a name or mode",
		raw("100644 .GIT\x00" + string(bin)):                             "'.GIT' has a name or mode",
		raw("100644 a/b\x00" + string(bin)):                              "'a/b' has a name or mode",
		raw("100644 a\x1b\x00" + string(bin)):                            "has a name or mode",
		raw("160000 m\x00" + string(bin)):                                "'m' has a name or mode (160000)",
		raw("100644 b\x00" + string(bin) + "100644 a\x00" + string(bin)): "that git would not write",
		raw("100644 a\x00" + string(bin) + "100644 a\x00" + string(bin)): "that git would not write",
		code:  "'src' has a name or mode (40000)",
		many:  "more than 1000000 paths",
		lines: "holds 10001 files",
	} {
		c := w.Git("a", "commit-tree", "-p", ours, "-m", "odd\n\nSage-Format: 1\nSage-Kind: knowledge", root)
		w.Git("a", "update-ref", "refs/sage/remotes/evil/knowledge", c)
		out, err := a.Exchange.MergeFetched(ctx, "evil")
		if err != nil || len(out) != 1 || out[0].Act != gitstore.FetchedRefused || !strings.Contains(out[0].Detail.Text, want) {
			t.Errorf("%s: %+v %v", want, out, err)
		}
	}
	if now := tipOf(w, "a", KnowledgeRef); now != ours {
		t.Errorf("ours moved to %s", now)
	}
	w.Git("a", "update-ref", KnowledgeRef, w.Git("a", "rev-parse", "refs/sage/remotes/evil/knowledge"))
	if r, err := a.Fsck.Check(ctx); err != nil || r.Partly {
		t.Errorf("check: %v", err)
	}
}

// A tip that holds no checkpoint that can be read, or has a name that no line may
// have, is refused, and the lines beside it are taken in.
func TestMergeFetchedRefusesOddTips(t *testing.T) {
	w, a, _ := pair(t, "root")
	root := tipOf(w, "a", "refs/sage/heads/main")
	odd := func(name, file, text string) string {
		w.Write("a/text", text)
		w.Write("a/list", "100644 blob "+w.Git("a", "hash-object", "-w", "text")+"\t"+file+"\n")
		w.Write("mk.sh", "git mktree < list")
		tree := w.Git("a", "-c", "alias.mk=!sh ../mk.sh", "mk")
		c := w.Git("a", "commit-tree", "-p", root, "-m", name+"\n\nSage-Format: 1\nSage-Kind: checkpoint", tree)
		w.Git("a", "update-ref", "refs/sage/remotes/evil/heads/"+name, c)
		return c
	}
	odd("no-text", "other.md", "x")
	odd("garbage", "checkpoint.md", "\xff\x00")
	odd("deep/name", "checkpoint.md", "thesis: x\n")
	good := w.Git("a", "rev-parse", root+"^{}")
	w.Git("a", "update-ref", "refs/sage/remotes/evil/heads/good", good)
	out, err := a.Exchange.MergeFetched(ctx, "evil")
	if err != nil {
		t.Fatal(err)
	}
	acts := map[string]gitstore.FetchedAct{}
	for _, f := range out {
		acts[f.Name()] = f.Act
	}
	want := map[string]gitstore.FetchedAct{"no-text": gitstore.FetchedRefused, "garbage": gitstore.FetchedRefused, "deep/name": gitstore.FetchedRefused, "good": gitstore.FetchedNew}
	if diff := cmp.Diff(want, acts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
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
		failed("git init: "+string(how), "create your own store")
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

// Long history is read ahead; what is no memory in it is refused all the same, and so is what
// continues it, however many objects lie before and behind.
func TestMergeFetchedLongHistory(t *testing.T) {
	w, _, b := pair(t, "ground")
	text, message := w.Git("a", "cat-file", "blob", mainRef+":checkpoint.md"), w.Git("a", "log", "-1", "--format=%B", mainRef)
	line := func(ref string, odd int) {
		var in strings.Builder
		for i := range 900 {
			fmt.Fprintf(&in, "commit %s\ncommitter Ann Author <ann@example.com> %d +0000\ndata %d\n%s\n", ref, storetest.Epoch.Unix()+int64(i), len(message)+1, message)
			if i == 0 {
				fmt.Fprintf(&in, "from %s\n", tipOf(w, "a", mainRef))
			}
			fmt.Fprintf(&in, "M 100644 inline checkpoint.md\ndata %d\n%s\n", len(text)+1+i, text+strings.Repeat("\n", 1+i))
			if i == odd {
				fmt.Fprint(&in, "M 100644 inline main.go\ndata 5\ncode\n")
			}
			if i == odd+1 {
				fmt.Fprint(&in, "D main.go\n")
			}
		}
		w.Write("in", in.String())
		w.Git("a", "config", "alias.feed", "!git fast-import --quiet <../in")
		w.Git("a", "feed")
	}
	line("refs/sage/heads/good", -2)
	line("refs/sage/heads/bad", 450)
	fetch(w, "b", "a")
	list, err := b.Exchange.MergeFetched(ctx)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, f := range list {
		if want := map[string]string{"good": "new", "bad": "refused"}[f.Name()]; want != string(f.Act) || want == "refused" && !strings.Contains(f.Detail.Text, "holds 'main.go'") {
			t.Errorf("%s: %s, %s", f.Name(), f.Act, f.Detail.Text)
		}
	}
}
