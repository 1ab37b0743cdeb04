package gitstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// A thief makes what a remote sends who knows ids of its victim's and has none of the
// objects: here they are made in the victim's repository, as a fetch leaves them.
type thief struct {
	t testing.TB
	w *storetest.World

	mine   string // a commit of the victim's that was never pushed
	root   string // its tree: secret.txt, and notes/ with a file that reads as memory
	notes  string // that folder
	lookal string // that file
	secret string // a file that does not
	text   string // a checkpoint.md of the thief's own
	line   string // the victim's line
	facts  string // the victim's knowledge
}

const lookalike = "---\ntype: checkpoint\nts: \"2026-01-01T00:00:00Z\"\n---\n\n## Thesis\nthe launch is on Friday\n"

func newThief(t testing.TB) (*thief, *gitstore.Store) {
	w := storetest.New(t)
	w.Repo("a")
	a := open(t, w, "a")
	w.Write("a/secret.txt", "the key of the safe\n")
	w.Write("a/notes/plan.md", lookalike)
	w.Git("a", "add", ".")
	w.Git("a", "commit", "-qm", "never pushed")
	save(t, a, "root")
	save(t, a, "next")
	writeFile(t, a, "knowledge/2d/x.md", "---\nid: x\n---\n\nThe staging database is wiped on Sundays.\n")
	th := &thief{t: t, w: w, line: tipOf(w, "a", mainRef), facts: tipOf(w, "a", KnowledgeRef)}
	th.mine, th.root = tipOf(w, "a", "HEAD"), tipOf(w, "a", "HEAD^{tree}")
	th.notes, th.lookal, th.secret = tipOf(w, "a", "HEAD:notes"), tipOf(w, "a", "HEAD:notes/plan.md"), tipOf(w, "a", "HEAD:secret.txt")
	th.text = th.blob(strings.Replace(lookalike, "launch", "lunch", 1))
	return th, a
}

func (th *thief) blob(text string) string {
	th.w.Write("text", text)
	return th.w.Git("a", "hash-object", "-w", th.w.Path("text"))
}

// tree makes a tree of entries "<mode> <type> <id>\t<name>".
func (th *thief) tree(entries ...string) string {
	th.w.Write("a/list", strings.Join(append(entries, ""), "\n"))
	th.w.Write("mk.sh", "git mktree --missing < list")
	return th.w.Git("a", "-c", "alias.mk=!sh ../mk.sh", "mk")
}

func file(id, name string) string   { return "100644 blob " + id + "\t" + name }
func folder(id, name string) string { return "040000 tree " + id + "\t" + name }

func (th *thief) commit(kind, tree string, parents ...string) string {
	return th.commitAs(th.subject(tree)+"\n\nSage-Format: 1\nSage-Kind: "+kind, tree, parents...)
}

// subject is that of a commit of a tree: what its checkpoint says, if it has one.
func (th *thief) subject(tree string) string {
	text, err := th.w.TryGit("a", "cat-file", "blob", tree+":checkpoint.md")
	if err != nil {
		return "a thought"
	}
	c, err := codec.Parse([]byte(text + "\n"))
	if err != nil {
		return "a thought"
	}
	return sage.Describe(c, c.MessageCount)
}

// commitAs is a commit with a message of its own.
func (th *thief) commitAs(message, tree string, parents ...string) string {
	args := []string{"commit-tree", "-m", message}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	return th.w.Git("a", append(args, tree)...)
}

// checkpoint is one that holds nothing else.
func (th *thief) checkpoint(parents ...string) string {
	return th.commit("checkpoint", th.tree(file(th.text, "checkpoint.md")), parents...)
}

// knowledge is a tree of knowledge with one more thing in it.
func (th *thief) knowledge(entries ...string) string {
	return th.tree(append(entries, folder(tipOf(th.w, "a", KnowledgeRef+":knowledge"), "knowledge"))...)
}

// wantNothing makes sure that our own refs reach nothing of what is the user's.
func (th *thief) wantNothing() {
	th.t.Helper()
	out := th.w.Git("a", "rev-list", "--objects", "--no-object-names", "--glob=refs/sage/heads", "--glob=refs/sage/forks", "--glob=refs/sage/tags", KnowledgeRef)
	for _, id := range []string{th.mine, th.root, th.notes, th.lookal, th.secret} {
		if strings.Contains(out, id) {
			th.t.Errorf("our refs reach %s, which was never pushed", id)
		}
	}
}

// What a remote sends without having it stays here: whatever it names is taken in by no
// merge, and the next push does not carry it off.
func TestFetchedTakesNothingOut(t *testing.T) {
	th, a := newThief(t)
	empty := th.tree()
	tries := []struct{ name, ref, id, want string }{
		{"a parent", "heads/main", th.checkpoint(th.mine), "is not a checkpoint"},
		{"a parent far back", "heads/main", th.checkpoint(th.checkpoint(th.checkpoint(th.mine))), "is not a checkpoint"},
		{"a second parent", "heads/main", th.commit("merge", th.tree(file(th.text, "checkpoint.md")), th.line, th.mine), "is not a checkpoint"},
		{"a parent of knowledge", "knowledge", th.commit("knowledge", th.knowledge(), th.mine), "is not a checkpoint"},
		{"knowledge behind a line", "heads/main", th.checkpoint(th.commit("knowledge", th.knowledge(), th.mine)), "is not a checkpoint"},
		{"another sort of parent", "heads/main", th.checkpoint(th.facts), "which is a 'knowledge'"},
		{"a new line", "heads/fresh", th.checkpoint(th.mine), "is not a checkpoint"},
		{"a line that is the commit", "heads/fresh", th.mine, "is not a checkpoint"},
		{"a tag", "tags/v1", th.mine, "is not a checkpoint"},
		{"a fork", "forks/main/3f2a91c0", th.checkpoint(th.mine), "is not a checkpoint"},
		{"a folder beside the text", "heads/main", th.commit("checkpoint", th.tree(file(th.text, "checkpoint.md"), folder(th.root, "src")), th.line), "holds 'src'"},
		{"a file beside the text", "heads/main", th.commit("checkpoint", th.tree(file(th.text, "checkpoint.md"), file(th.secret, "x")), th.line), "holds 'x'"},
		{"a file beside it, further back", "heads/main", th.checkpoint(th.commit("checkpoint", th.tree(file(th.text, "checkpoint.md"), file(th.secret, "x")), th.line)), "holds 'x'"},
		{"a file as the text", "heads/main", th.commit("checkpoint", th.tree(file(th.secret, "checkpoint.md")), th.line), "cannot be read"},
		{"a file that reads as one", "heads/main", th.commit("checkpoint", th.tree(file(th.lookal, "checkpoint.md")), th.line), "which is yours"},
		{"the same further back", "heads/main", th.checkpoint(th.commit("checkpoint", th.tree(file(th.lookal, "checkpoint.md")), th.line)), "which is yours"},
		{"the text is a folder", "heads/main", th.commit("checkpoint", th.tree(folder(th.root, "checkpoint.md")), th.line), "with mode 40000"},
		{"the text is a link", "heads/main", th.commit("checkpoint", th.tree("120000 blob "+th.secret+"\tcheckpoint.md"), th.line), "with mode 120000"},
		{"a folder of another repository", "heads/main", th.commit("checkpoint", th.tree(file(th.text, "checkpoint.md"), "160000 commit "+th.mine+"\tm"), th.line), "holds 'm'"},
		{"a tombstone with a folder", "heads/main", th.w.Git("a", "commit-tree", "-p", th.line, "-m", "remove\n\nSage-Format: 1\nSage-Kind: tombstone\nSage-Removes: "+th.line, th.tree(file(th.text, "tombstone.yaml"), folder(th.root, "x"))), "holds 'x'"},
		{"a tombstone behind the commit", "heads/main", th.w.Git("a", "commit-tree", "-p", th.mine, "-m", "remove\n\nSage-Format: 1\nSage-Kind: tombstone\nSage-Removes: "+th.line, th.tree(file(th.text, "tombstone.yaml"))), "is not a checkpoint"},
		{"a later format", "heads/main", th.checkpoint(th.w.Git("a", "commit-tree", "-m", "later\n\nSage-Format: 3\nSage-Kind: checkpoint", th.root)), "newer format"},
		{"a kind of its own", "heads/main", th.checkpoint(th.commit("riddle", th.root)), "'riddle'"},
		{"the root of knowledge", "knowledge", th.commit("knowledge", th.root, th.facts), "'a.txt' has a name or mode"},
		{"a folder in the root", "knowledge", th.commit("knowledge", th.knowledge(folder(th.root, "src")), th.facts), "'src' has a name or mode"},
		{"a folder of items", "knowledge", th.commit("knowledge", th.tree(folder(th.tree(folder(th.root, "2d")), "knowledge")), th.facts), "'knowledge/2d/a.txt' has a name or mode"},
		{"one of skills", "knowledge", th.commit("knowledge", th.knowledge(folder(th.tree(folder(th.root, "go")), "skills")), th.facts), "'skills/go/a.txt' has a name or mode"},
		{"a file as an item", "knowledge", th.commit("knowledge", th.tree(folder(th.tree(folder(th.tree(file(th.lookal, "x.md")), "2d")), "knowledge")), th.facts), "which is yours"},
		{"a secret as an item", "knowledge", th.commit("knowledge", th.tree(folder(th.tree(folder(th.tree(file(th.secret, "x.md")), "2d")), "knowledge")), th.facts), "which is yours"},
		{"a folder that fits as it is", "knowledge", th.commit("knowledge", th.knowledge(folder(th.notes, "system")), th.facts), "which is yours"},
		{"a file as a template", "knowledge", th.commit("knowledge", th.knowledge(folder(th.tree(file(th.secret, "t.yaml")), "templates")), th.facts), "which is yours"},
		{"a file as the record of a purge", "knowledge", th.commit("knowledge", th.knowledge(folder(th.tree(file(th.secret, th.line)), "purged")), th.facts), "which is yours"},
		{"in an older state", "knowledge", th.commit("knowledge", th.knowledge(), th.commit("knowledge", th.knowledge(folder(th.root, "src")), th.facts)), "'src' has a name or mode"},
		{"a record that puts the commit in place of a line", "knowledge", th.record(th.line, th.mine), "is not a checkpoint"},
		{"one that puts a checkpoint behind it", "knowledge", th.record(th.line, th.checkpoint(th.mine)), "is not a checkpoint"},
		{"one that puts a file in place of an item", "knowledge", th.record(tipOf(th.w, "a", KnowledgeRef+":knowledge/2d/x.md"), th.secret), "which is yours"},
		{"one that puts a folder there", "knowledge", th.record(tipOf(th.w, "a", KnowledgeRef+":knowledge"), th.root), "neither a checkpoint nor a file"},
		{"a tree of nothing", "heads/main", th.commit("checkpoint", empty, th.line), "has no checkpoint.md"},
	}
	for _, again := range []string{"of a branch", "of the log"} {
		if again == "of the log" { // what was amended away is the user's, too
			th.w.Git("a", "rm", "-rq", "notes")
			th.w.Write("a/secret.txt", "another key\n")
			th.w.Git("a", "commit", "-qa", "--amend", "-m", "amended")
		}
		for _, c := range tries {
			t.Run(again+"/"+c.name, func(t *testing.T) {
				ref := "refs/sage/remotes/evil/" + c.ref
				th.w.Git("a", "update-ref", ref, c.id)
				defer th.w.Git("a", "update-ref", "-d", ref)
				out, err := a.Exchange.MergeFetched(ctx)
				if err != nil || len(out) != 1 || out[0].Act != gitstore.FetchedRefused || !strings.Contains(out[0].Detail.Text, c.want) || fmt.Sprint(out[0].Remotes) != "[evil]" {
					t.Errorf("%+v %v, want %q", out, err, c.want)
				}
				th.wantNothing()
				if now := tipOf(th.w, "a", mainRef); now != th.line {
					t.Errorf("main moved to %s", now)
				}
				if now := tipOf(th.w, "a", KnowledgeRef); now != th.facts {
					t.Errorf("the knowledge moved to %s", now)
				}
				if id, err := a.Commits.Resolve(ctx, ref); c.ref != "knowledge" && (err != nil || id == c.id) { // by name, without a merge of what was fetched
					_, byBranch := a.Lines.Branch(ctx, "taken", ref)
					_, byTag := a.Lines.Tag(ctx, "taken", ref, false)
					_, byMerge := a.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: ref})
					if byBranch == nil || byTag == nil || byMerge == nil {
						t.Errorf("taken in by name: %v %v %v", byBranch, byTag, byMerge)
					}
					th.wantNothing()
				}
			})
		}
	}
}

// record is knowledge with the record of a purge.
func (th *thief) record(old, now string) string {
	rec := th.blob(old + " " + now + "\n")
	return th.commit("knowledge", th.knowledge(folder(th.tree(file(rec, old)), "purged")), th.facts)
}

// What is memory is taken in, whatever else is on offer beside it.
func TestFetchedTakesMemory(t *testing.T) {
	th, a := newThief(t)
	for ref, id := range map[string]string{
		"heads/main": th.checkpoint(th.line), "heads/evil": th.checkpoint(th.mine), "tags/v1": th.line,
		"knowledge": th.commit("knowledge", th.knowledge(folder(th.tree(file(th.blob("---\nid: system/a\n---\n\nA.\n"), "a.md")), "system")), th.facts),
	} {
		th.w.Git("a", "update-ref", "refs/sage/remotes/hub/"+ref, id)
	}
	wantActs(t, acts(t, a), "forward knowledge, refused evil, forward main, new tag: v1")
	th.wantNothing()
	wantFile(t, a, "system/a.md", "---\nid: system/a\n---\n\nA.\n")
}

// What an older version took in is an error for fsck, is pushed by no push of ours, and is
// taken out by one command, which leaves the user's own as it is.
func TestForeignIsTakenOut(t *testing.T) {
	th, a := newThief(t)
	th.w.Repo("hub")
	th.w.Git("a", "remote", "add", "hub", th.w.Path("hub"))
	th.w.Git("a", "push", "-q", "hub", mainRef, KnowledgeRef)
	for ref, id := range map[string]string{
		"heads/main":  th.checkpoint(th.commit("merge", th.tree(file(th.text, "checkpoint.md"), folder(th.root, "src")), th.line, th.mine)),
		"heads/other": th.checkpoint(th.facts, th.line),
		"tags/v1":     th.mine,
		"knowledge":   th.commit("knowledge", th.knowledge(folder(th.tree(file(th.text, "a.md")), "system")), th.commit("knowledge", th.knowledge(folder(th.root, "src")), th.facts)),
	} {
		th.w.Git("a", "update-ref", "refs/sage/"+ref, id)
	}
	kinds := func() map[string]int {
		found, err := a.Fsck.Findings(ctx)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]int{}
		for _, f := range found {
			if out[f.Kind]++; f.Kind == "foreign" && (f.Warning || hint.Cure(f.Cure) != "git sage purge --foreign") {
				t.Errorf("%+v", f)
			}
		}
		return out
	}
	if got := kinds(); got["foreign"] < 4 {
		t.Errorf("%v", got)
	}
	if _, err := a.Purge.Run(ctx, gitstore.PurgeRequest{Match: "nobody wrote this"}); err != nil {
		t.Fatal(err)
	}
	state := userState(th.w, "a")
	if _, err := a.Purge.Run(ctx, gitstore.PurgeRequest{Foreign: true}); err != nil {
		t.Fatal(err)
	}
	if now := userState(th.w, "a"); now != state {
		t.Errorf("the user's own changed:\n%s\n%s", state, now)
	}
	th.wantNothing()
	if got := kinds(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	wantList(t, subjects(t, a, gitstore.Query{Line: "main"}), "the lunch is on Friday", "the lunch is on Friday", "next", "root")
	wantFile(t, a, "system/a.md", strings.Replace(lookalike, "launch", "lunch", 1))
	if again, err := a.Purge.Plan(ctx, gitstore.PurgeRequest{Foreign: true}); err != nil || len(again.Refs) > 0 {
		t.Errorf("not done at once: %+v %v", again, err)
	}
}

// The one push of ours refuses what is no memory.
func TestPushRefusesForeign(t *testing.T) {
	th, a := newThief(t)
	th.w.Repo("hub")
	th.w.Git("a", "remote", "add", "hub", th.w.Path("hub"))
	th.w.Git("a", "push", "-q", "hub", mainRef, KnowledgeRef)
	th.w.Git("a", "update-ref", KnowledgeRef, th.commit("knowledge", th.knowledge(), th.facts, th.mine))
	if _, err := a.Purge.Run(ctx, gitstore.PurgeRequest{Match: "root"}); err != nil {
		t.Fatal(err)
	}
	pushes, err := a.Purge.Push(ctx)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, p := range pushes {
		if p.Err != nil && strings.Contains(p.Err.Error(), "not memory") {
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("%+v", pushes)
	}
	if out, err := th.w.TryGit("hub", "cat-file", "-t", th.mine); err == nil {
		t.Errorf("the hub has it: %s", out)
	}
}

// What every list reads is bounded: a commit that takes seconds, or continues thousands, is
// not taken in.
func TestFetchedTakesNoHugeCommit(t *testing.T) {
	th, a := newThief(t)
	tree := th.tree(file(th.text, "checkpoint.md"))
	head := "tree " + tree + "\n"
	tail := "author V <v@example.org> 1767225600 +0000\ncommitter V <v@example.org> 1767225600 +0000\n"
	says := "\nthe lunch is on Friday\n\nSage-Format: 1\nSage-Kind: merge\n"
	parents := strings.Repeat("parent "+th.line+"\n", 1001)
	for _, c := range []struct{ name, raw, want string }{
		{"a message", head + tail + says + strings.Repeat("X: y\n", 60_000), "more than the limit of"},
		{"a header", head + tail + strings.Repeat("x y\n", 70_000) + says, "more than the limit of"},
		{"parents", head + parents + tail + says, "has 1001 parents"},
	} {
		th.w.Write("raw", c.raw)
		id := th.w.Git("a", "hash-object", "-t", "commit", "-w", "--literally", th.w.Path("raw"))
		th.wantRefused(t, a, []offered{{"evil/heads/x", id, c.want}})
	}
}
