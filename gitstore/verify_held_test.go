package gitstore_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// offered is what a remote has of one ref, and what is said of it.
type offered struct{ ref, id, want string }

// wantRefused offers all at once and makes sure that all are refused, and that our own refs
// reach none of ids.
func (th *thief) wantRefused(t *testing.T, s *gitstore.Store, list []offered, ids ...string) {
	t.Helper()
	for _, o := range list {
		th.w.Git("a", "update-ref", "refs/sage/remotes/"+o.ref, o.id)
		defer th.w.Git("a", "update-ref", "-d", "refs/sage/remotes/"+o.ref)
	}
	out, err := s.Exchange.MergeFetched(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range list {
		remote, name, _ := strings.Cut(o.ref, "/")
		refused := false
		for _, f := range out {
			refused = refused || f.Ref == "refs/sage/"+name && f.Act == gitstore.FetchedRefused && f.Remotes[0] == remote && strings.Contains(f.Detail.Text, o.want)
		}
		if !refused {
			t.Errorf("'%s' is not refused with %q: %+v", o.ref, o.want, out)
		}
	}
	reached := th.w.Git("a", "rev-list", "--objects", "--no-object-names", "--glob=refs/sage/heads", "--glob=refs/sage/forks", "--glob=refs/sage/tags", KnowledgeRef)
	for _, id := range ids {
		if strings.Contains(reached, id) {
			t.Errorf("our refs reach %s, which was never pushed", id)
		}
	}
	th.wantNothing()
}

// One file of the user's is refused wherever it is offered, however often.
func TestFetchedRefusesAllThatHoldIt(t *testing.T) {
	text := func(th *thief) string { return th.tree(file(th.lookal, "checkpoint.md")) }
	for _, c := range []struct {
		name  string
		offer func(th *thief) []offered
	}{
		{"two lines", func(th *thief) []offered {
			return []offered{{"evil/heads/x", th.commit("checkpoint", text(th)), "which is yours"}, {"evil/heads/y", th.commit("checkpoint", text(th), th.line), "which is yours"}}
		}},
		{"a line, and where it began", func(th *thief) []offered {
			first := th.commit("checkpoint", text(th))
			return []offered{{"evil/heads/x", first, "which is yours"}, {"evil/heads/y", th.commit("checkpoint", text(th), first), "which is yours"}}
		}},
		{"the knowledge of two remotes", func(th *thief) []offered {
			with := th.knowledge(folder(th.notes, "system"))
			return []offered{{"evil/knowledge", th.commit("knowledge", with, th.facts), "which is yours"}, {"other/knowledge", th.commit("knowledge", with), "which is yours"}}
		}},
		{"a folder that grew", func(th *thief) []offered {
			one := th.commit("knowledge", th.tree(folder(th.tree(file(th.lookal, "a.md")), "system")))
			grown := th.tree(folder(th.tree(file(th.lookal, "a.md"), file(th.blob("---\nid: b\n---\n"), "b.md")), "system"))
			return []offered{{"evil/knowledge", th.commit("knowledge", grown, one), "which is yours"}, {"other/knowledge", th.commit("knowledge", grown), "which is yours"}}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			th, a := newThief(t)
			th.wantRefused(t, a, c.offer(th))
		})
	}
}

// A file of the user's that nothing reaches any more, staged and then staged anew, cannot
// be told from one that was fetched: none is taken in that does not look like memory.
func TestFetchedTakesNothingUnreached(t *testing.T) {
	th, a := newThief(t)
	var (
		blob  = th.blob("the key of the safe, staged and staged anew\n")
		blank = th.blob(strings.Repeat(" ", 40) + "the key\n")
		head  = th.blob("---\ntitle: a draft\n---\n\n## Thesis\nthe key of the safe\n")
		yaml  = th.blob("password: the key of the safe\nhost: db\n")
		spec  = th.blob("openapi: 3.1.0\ninfo:\n  title: shop\n  summary: the key of the safe\npaths:\n  /keys:\n    get: {summary: Keys}\n")
		issue = th.blob("title: the key of the safe\nclosed: true\n")
		state = th.blob("closed: soon\nkey: of the safe\n")
		flow  = th.blob("name: release\non: push\nkey: of the safe\n")
		docs  = th.blob("---\nid: intro\ntitle: the key of the safe\n---\n\nThe key.\n")
		sums  = th.blob(strings.Repeat("a", 40) + "  the-key-of-the-safe\n")
		tree  = th.tree(file(blob, "key.txt"))
		work  = th.w.Git("a", "commit-tree", "-m", "dropped from the stash", tree)
		item  = tipOf(th.w, "a", KnowledgeRef+":knowledge/2d/x.md")
		text  = tipOf(th.w, "a", th.line+":checkpoint.md")
		all   = []string{blob, blank, head, yaml, spec, issue, state, flow, docs, sums, tree, work}
	)
	in := func(dir, id, name string) string {
		return th.commit("knowledge", th.knowledge(folder(th.tree(file(id, name)), dir)), th.facts)
	}
	// a file in an older state that is none: git would pack what it is
	behind := func(id string) string {
		odd := th.commit("knowledge", th.knowledge(folder(th.rawTree("100644", id, "a.md"), "system")), th.facts)
		return th.commit("knowledge", th.knowledge(), odd)
	}
	for _, c := range []struct{ name, ref, id, want string }{
		{"a pinned note", "knowledge", in("system", blob, "a.md"), "does not look like an item"},
		{"a skill", "knowledge", in("skills", head, "a.md"), "does not look like an item"},
		{"an item", "knowledge", th.commit("knowledge", th.tree(folder(th.tree(folder(th.tree(file(blob, "x.md")), "2d")), "knowledge")), th.facts), "does not look like an item"},
		{"a template", "knowledge", in("templates", yaml, "a.yaml"), "does not look like a template"},
		{"a line", "knowledge", in("lines", yaml, "a.yaml"), "does not look like the note of a line"},
		{"a line with keys of its own", "knowledge", in("lines", issue, "a.yaml"), "does not look like the note of a line"},
		{"a line that cannot be read", "knowledge", in("lines", state, "a.yaml"), "does not look like the note of a line"},
		{"a template with a name alone", "knowledge", in("templates", flow, "a.yaml"), "does not look like a template"},
		{"a page of a manual", "knowledge", in("system", docs, "intro.md"), "does not look like an item"},
		{"core files with other keys", "knowledge", th.commit("knowledge", th.knowledge(file(spec, "core.yaml")), th.facts), "does not look like a list of core files"},
		{"a record", "knowledge", in("purged", sums, strings.Repeat("a", 40)), "does not look like the record of a purge"},
		{"blanks before it", "knowledge", in("purged", blank, strings.Repeat("a", 40)), "does not look like the record of a purge"},
		{"the core files", "knowledge", th.commit("knowledge", th.knowledge(file(yaml, "core.yaml")), th.facts), "does not look like a list of core files"},
		{"the format", "knowledge", th.commit("knowledge", th.knowledge(file(yaml, "format.yaml")), th.facts), "does not look like the format"},
		{"a checkpoint", "heads/x", th.commit("checkpoint", th.tree(file(head, "checkpoint.md"))), "does not look like a checkpoint"},
		{"a tombstone", "heads/main", th.w.Git("a", "commit-tree", "-p", th.line, "-m", "remove\n\nSage-Format: 1\nSage-Kind: tombstone\nSage-Removes: "+th.line, th.tree(file(blob, "tombstone.yaml"))), "whose file lacks"},
		{"a commit as a file", "knowledge", behind(work), "is a commit, not a file"},
		{"a folder as a file", "knowledge", behind(tree), "is a tree, not a file"},
		{"in place of an item", "knowledge", th.record(item, blob), "does not look like memory"},
		{"in place of a checkpoint's text", "knowledge", th.record(text, blob), "does not look like memory"},
		{"a folder there", "knowledge", th.record(text, tree), "neither a checkpoint nor a file"},
		{"a commit there", "knowledge", th.record(th.line, work), "is not a checkpoint"},
	} {
		t.Run(c.name, func(t *testing.T) {
			th.wantRefused(t, a, []offered{{"evil/" + c.ref, c.id, c.want}}, all...)
		})
	}
}

// What our own refs reach already is as good as what reads as memory: somebody wrote an
// item by hand here, and others go on from there.
func TestFetchedTakesWhatWasHere(t *testing.T) {
	th, a := newThief(t)
	writeFile(t, a, "system/bare.md", "no front matter\n")
	th.w.Git("a", "update-ref", "refs/sage/remotes/evil/knowledge", th.commit("knowledge",
		th.knowledge(folder(th.tree(file(tipOf(th.w, "a", KnowledgeRef+":system/bare.md"), "moved.md")), "system")), tipOf(th.w, "a", KnowledgeRef)))
	wantActs(t, acts(t, a), "forward knowledge")
}

// What only git's own notes reach is the user's, too: what a merge, a rebase or a bisect
// is in the middle of, and the repositories that this one borrows from. Each of these
// files reads as an item.
func TestFetchedTakesNothingNoted(t *testing.T) {
	for _, c := range []struct {
		name string
		keep func(th *thief, commit string) // what holds the commit, and nothing else does
	}{
		{"ORIG_HEAD", func(th *thief, id string) { th.w.Git("a", "update-ref", "ORIG_HEAD", id) }},
		{"MERGE_HEAD", func(th *thief, id string) { th.w.Write("a/.git/MERGE_HEAD", id+"\n") }},
		{"AUTO_MERGE", func(th *thief, id string) { th.w.Write("a/.git/AUTO_MERGE", tipOf(th.w, "a", id+"^{tree}")+"\n") }},
		{"FETCH_HEAD", func(th *thief, id string) {
			th.w.Write("a/.git/FETCH_HEAD", th.facts+"\t\t'refs/sage/knowledge' of hub\n"+id+"\tnot-for-merge\tbranch 'x' of hub\n")
		}},
		{"a rebase's stash", func(th *thief, id string) { th.w.Write("a/.git/rebase-merge/autostash", id+"\n") }},
		{"what a rebase is to do", func(th *thief, id string) {
			th.w.Write("a/.git/rebase-merge/git-rebase-todo", "pick "+id+" a subject\n")
		}},
		{"a bisect in another work tree", func(th *thief, id string) {
			th.w.Git("a", "worktree", "add", "-q", "--detach", "../wt")
			th.w.Git("wt", "update-ref", "refs/bisect/bad", id)
		}},
		{"a repository that it borrows from", func(th *thief, id string) {
			th.w.Git("", "init", "-q", "lender")
			th.w.Git("lender", "fetch", "-q", "../a", id+":refs/heads/work")
			th.w.Write("a/.git/objects/info/alternates", th.w.Path("lender/.git/objects")+"\n")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			th, a := newThief(t)
			th.w.Git("a", "config", "uploadpack.allowAnySHA1InWant", "true")
			blob := th.blob("---\nid: x\n---\n\nthe key of the safe\n")
			c.keep(th, th.w.Git("a", "commit-tree", "-m", "work", th.tree(file(blob, "key.txt"))))
			id := th.commit("knowledge", th.knowledge(folder(th.tree(file(blob, "x.md")), "system")), th.facts)
			th.wantRefused(t, a, []offered{{"evil/knowledge", id, "which is yours"}}, blob)
		})
	}
}

// What FETCH_HEAD says of our own refs is not the user's.
func TestFetchedTakesWhatWasJustFetched(t *testing.T) {
	w := storetest.New(t)
	w.Repo("a")
	a := open(t, w, "a")
	save(t, a, "one")
	writeFile(t, a, "system/x.md", "---\nid: x\n---\n\nText.\n")
	w.Git("", "clone", "-q", "a", "b")
	w.Git("b", "fetch", "-q", "origin", "+refs/sage/heads/*:refs/sage/remotes/origin/heads/*", "+refs/sage/knowledge*:refs/sage/remotes/origin/knowledge*")
	wantActs(t, acts(t, open(t, w, "b")), "new knowledge, new main")
}

// Records of purges that take minutes to look at are refused.
func TestFetchedBoundsRecords(t *testing.T) {
	th, a := newThief(t)
	id := func(i int) string { return fmt.Sprintf("%040x", i) }
	records := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i) + "\n")
		}
		return th.commit("knowledge", th.knowledge(folder(th.tree(file(th.blob(b.String()), id(0))), "purged")), th.facts)
	}
	many := 30_000
	if testing.Short() {
		many = 3_000
	}
	th.w.Git("a", "update-ref", "refs/sage/remotes/hub/knowledge", records(many, func(i int) string { return id(3*i) + " " + id(3*i+1) }))
	wantActs(t, acts(t, a), "forward knowledge")
	th.w.Git("a", "update-ref", "-d", "refs/sage/remotes/hub/knowledge")
	for _, c := range []struct{ name, id, want string }{
		{"many", records(100_001, func(i int) string { return id(i) + " -" }), "more than 100000 lines"},
		{"many of one id", records(101, func(i int) string { return id(0) + " " + id(i+1) }), "have more than 100 entries for"},
		{"a chain", records(2_000, func(i int) string { return id(i) + " " + id(i+1) }), "too long a chain"},
		{"a circle", records(2_000, func(i int) string { return id(i) + " " + id((i+1)%2_000) }), "too long a chain"},
		{"many ways to one end", records(4_000, func(i int) string { return id(i/2) + " " + id(i/2+1+i%2) }), "too long a chain"},
	} {
		t.Run(c.name, func(t *testing.T) { th.wantRefused(t, a, []offered{{"evil/knowledge", c.id, c.want}}) })
	}
}

// A header that git reads in one way and others can read in another is refused: of two
// trees a purge would keep the second.
func TestFetchedWantsSoundHeaders(t *testing.T) {
	th, a := newThief(t)
	mine, theirs := "tree "+th.root+"\n", "tree "+th.tree(file(th.text, "checkpoint.md"))+"\n"
	line, stolen := "parent "+th.line+"\n", "parent "+th.mine+"\n"
	author, committer := "author Eve <eve@x> 1767225600 +0000\n", "committer Eve <eve@x> 1767225600 +0000\n"
	const end = "\nthe lunch is on Friday\n\nSage-Format: 1\nSage-Kind: checkpoint\n"
	for _, c := range []struct{ name, head, want string }{
		{"two trees", theirs + mine + line + author + committer, "that git would not write"},
		{"a tree behind", theirs + line + author + committer + mine, "that git would not write"},
		{"a tree behind a signature", theirs + line + author + committer + "gpgsig x\n y\n" + mine, "that git would not write"},
		{"a tree behind the parents", theirs + line + mine + author + committer, "that git would not write"},
		{"a parent behind", theirs + line + author + committer + stolen, "that git would not write"},
		{"a parent between", theirs + author + stolen + committer, "that git would not write"},
		{"an id in capitals", theirs + "parent " + strings.ToUpper(th.line) + "\n" + author + committer, "that git would not write"},
		{"no author", theirs + line + committer, "that git would not write"},
		{"no committer", theirs + line + author, "that git would not write"},
		{"two authors", theirs + line + author + author + committer, "that git would not write"},
		{"something between", theirs + line + "note x\n" + author + committer, "that git would not write"},
	} {
		t.Run(c.name, func(t *testing.T) {
			th.wantRefused(t, a, []offered{{"evil/heads/x", th.rawCommit(c.head + end), c.want}})
		})
	}
	signed := th.rawCommit(theirs + line + line + author + committer + "encoding UTF-8\ngpgsig x\n parent " + th.mine + "\n" + end)
	th.w.Git("a", "update-ref", "refs/sage/remotes/hub/heads/main", signed)
	wantActs(t, acts(t, a), "forward main")
	th.wantNothing()
}

func (th *thief) rawCommit(text string) string {
	th.w.Write("raw", text)
	return th.w.Git("a", "hash-object", "-t", "commit", "--literally", "-w", th.w.Path("raw"))
}

// rawTree is a tree of one entry that git mktree would refuse.
func (th *thief) rawTree(mode, id, name string) string {
	raw, err := hex.DecodeString(id)
	if err != nil {
		th.t.Fatal(err)
	}
	th.w.Write("raw", mode+" "+name+"\x00"+string(raw))
	return th.w.Git("a", "hash-object", "-t", "tree", "--literally", "-w", th.w.Path("raw"))
}
