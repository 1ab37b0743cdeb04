package gitstore_test

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
)

// A record of somebody else's purge names what it likes. What is the user's stays, whether
// a branch reaches it, a merge that is in the middle, or nothing at all.
func TestPurgeKeepsWhatRecordsName(t *testing.T) {
	th, a := newThief(t)
	var (
		staged  = th.blob("staged, and staged anew\n")
		inWork  = th.blob("dropped from the stash\n")
		inMerge = th.blob("of the branch that is being merged\n")
		lured   = th.blob("a file that a commit of the thief's names\n")
		tree    = th.tree(file(inWork, "y.txt"))
		work    = th.w.Git("a", "commit-tree", "-m", "dropped", tree)
		merging = th.w.Git("a", "commit-tree", "-m", "theirs", th.tree(file(inMerge, "z.txt")))
		lure    = th.commit("checkpoint", th.tree(file(lured, "checkpoint.md")), th.line)
		folders = th.commit("knowledge", th.knowledge(folder(th.tree(file(lured, "notes.txt")), "system")), th.facts)
	)
	th.w.Write("a/.git/MERGE_HEAD", merging+"\n")
	yours := []string{staged, inWork, inMerge, lured, tree, work, merging, th.mine, th.root, th.secret, th.lookal}
	var lines []string
	for _, id := range append(yours, lure, folders) {
		lines = append(lines, id+" -\n")
	}
	rec := th.blob(strings.Join(lines, ""))
	th.w.Git("a", "update-ref", "refs/sage/remotes/evil/knowledge", th.commit("knowledge", th.knowledge(folder(th.tree(file(rec, staged)), "purged")), th.facts))
	wantActs(t, acts(t, a), "forward knowledge")
	out, err := a.Purge.Run(ctx, gitstore.PurgeRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range yours {
		th.w.Git("a", "cat-file", "-e", id)
	}
	for _, id := range []string{lure, folders} { // these are ours by their form
		if _, err := th.w.TryGit("a", "cat-file", "-e", id); err == nil {
			t.Errorf("%s is still there", id)
		}
	}
	told := ""
	for _, l := range out.Left {
		told += l.Name + " " + l.Why + "\n"
	}
	if !strings.Contains(told, staged+" listed as purged, but not a memory object") {
		t.Errorf("what stays is not told: %s", told)
	}
}

// A record can name what is not here yet: a file that will be staged, a commit that will
// be fetched from another clone of the user's. It does not count when that comes.
func TestRecordsOfWhatComesLater(t *testing.T) {
	th, a := newThief(t)
	th.w.Write("later.txt", "the key of the safe, staged later\n")
	blob := th.w.Git("a", "hash-object", th.w.Path("later.txt"))
	th.w.Git("", "clone", "-q", "a", "laptop")
	th.w.Git("laptop", "commit", "-q", "--allow-empty", "-m", "of the laptop")
	commit := th.w.Git("laptop", "rev-parse", "HEAD")
	item := tipOf(th.w, "a", KnowledgeRef+":knowledge/2d/x.md")
	rec := th.blob(item + " " + blob + "\n" + th.line + " " + commit + "\n")
	th.w.Git("a", "update-ref", "refs/sage/remotes/evil/knowledge", th.commit("knowledge", th.knowledge(folder(th.tree(file(rec, th.line)), "purged")), th.facts))
	wantActs(t, acts(t, a), "forward knowledge")

	th.w.Git("a", "hash-object", "-w", th.w.Path("later.txt"))
	th.w.Git("a", "fetch", "-q", "../laptop", "HEAD:refs/heads/laptop")
	acts(t, a)
	if _, err := a.Purge.Run(ctx, gitstore.PurgeRequest{Match: "nobody wrote this"}); err != nil {
		t.Fatal(err)
	}
	reached := th.w.Git("a", "rev-list", "--objects", "--no-object-names", "--glob=refs/sage/heads", KnowledgeRef)
	for _, id := range []string{blob, commit} {
		if strings.Contains(reached, id) {
			t.Errorf("our refs reach %s, which was never pushed", id)
		}
	}
	th.wantNothing()
	wantList(t, subjects(t, a, gitstore.Query{Line: "main"}), "next", "root")
}
