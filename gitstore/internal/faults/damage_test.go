//go:build unix

package faults_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// deeds are what reads most of a history: what came together in several places,
// with removals and purges in it.
var deeds = []act{
	{name: "merge over two bases", ready: crossed, do: merging(gitstore.MergeRequest{Rev: "idea"})},
	{name: "merge what others merged", ready: apart, steps: true, do: mergingFetched},
	{name: "settle a merge that was left", ready: merged, do: merging(gitstore.MergeRequest{Thesis: "both, by size"})},
	{name: "purge a pattern", ready: spread, do: purging(gitstore.PurgeRequest{Match: secret}), finished: "run it again"},
	{name: "purge a path", ready: spread, do: purging(gitstore.PurgeRequest{Path: "knowledge"}), finished: "run it again"},
	{name: "purge a checkpoint", ready: buried, do: purging(gitstore.PurgeRequest{Revs: []string{"old"}}), finished: "run it again"},
	{name: "merge behind two purges", ready: purgedTwice, steps: true, finished: "run it again", do: mergingFetched},
}

func purging(q gitstore.PurgeRequest) func(*gitstore.Store) error {
	return func(s *gitstore.Store) error {
		out, err := s.Purge.Run(ctx, q)
		for _, l := range out.Left {
			err = cmp.Or(err, fmt.Errorf("%s: %s; run it again", l.Name, l.Why))
		}
		return err
	}
}

func mergingFetched(s *gitstore.Store) error {
	out, err := s.Exchange.MergeFetched(ctx)
	for _, x := range out {
		if x.Act == gitstore.FetchedRefused {
			return cmp.Or(err, errors.New(x.Detail.Text))
		}
	}
	return err
}

// crossed leaves two lines, each of which merged the other's first thought and
// removed one since.
func crossed(t *testing.T, w *storetest.World) {
	s := open(t, w)
	on := func(line string, c sage.Checkpoint) string {
		t.Helper()
		got, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: c, Line: line})
		if err != nil {
			t.Fatal(err)
		}
		return got.ID
	}
	merge := func(line, rev string) {
		t.Helper()
		if _, err := s.Lines.Switch(ctx, line, false, ""); err != nil {
			t.Fatal(err)
		}
		if m, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: rev}); err != nil || m.FastForward || m.UpToDate {
			t.Fatalf("merge %s: %+v %v", rev, m, err)
		}
	}
	on("main", sage.Checkpoint{Thesis: "ground", KeyEvidence: []string{"e0"}})
	if _, err := s.Lines.Branch(ctx, "idea", "main"); err != nil {
		t.Fatal(err)
	}
	ours := on("main", sage.Checkpoint{Thesis: "ours", KeyEvidence: []string{"e0", "e1"}})
	theirs := on("idea", sage.Checkpoint{Thesis: "theirs", KeyEvidence: []string{"e0", "e2"}})
	merge("main", theirs)
	merge("idea", ours)
	on("idea", sage.Checkpoint{Thesis: "on the idea", KeyEvidence: []string{"e3"}})
	gone := on("idea", sage.Checkpoint{Thesis: "wrong"})
	if _, err := s.Checkpoints.Remove(ctx, []string{gone}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lines.Switch(ctx, "main", false, ""); err != nil {
		t.Fatal(err)
	}
	on("main", sage.Checkpoint{Thesis: "on the line", KeyEvidence: []string{"e4"}})
}

// spread leaves a secret wherever there may be one: in a text, behind a tombstone,
// in what a fork holds, in the knowledge tree, and in names.
func spread(t *testing.T, w *storetest.World) {
	s := open(t, w)
	knowing(t, w)
	idle := open(t, w, session("idler"))
	save(t, idle, "before it")
	got, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "It says " + secret + ".", KeyEvidence: []string{secret, "e"}, Fields: map[string]any{secret: "x"}}})
	if err != nil {
		t.Fatal(err)
	}
	save(t, idle, "beside, "+secret)
	if _, err := s.Lines.Tag(ctx, "v1", got.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Checkpoints.Remove(ctx, []string{got.ID}); err != nil {
		t.Fatal(err)
	}
	if err := s.Tree.WriteFiles(ctx, "add "+secret, map[string][]byte{
		"knowledge/aa/zebra-crossing.md": []byte("---\nsource: " + secret + "\n---\n\nSay " + secret + ".\n"),
		"knowledge/aa/plain.txt":         []byte("Say " + secret + ".\n"), "core.yaml": []byte("note: " + secret + "\n"),
	}); err != nil {
		t.Fatal(err)
	}
	w.Git("r", "notes", "--ref=refs/notes/sage", "add", "-f", "-m", "see "+secret, "HEAD")
	save(t, s, "after it")
}

// A clone is another repository of the same people, beside r.
type clone struct {
	t    *testing.T
	w    *storetest.World
	name string
	*gitstore.Store
}

func newClone(t *testing.T, w *storetest.World, name string) clone {
	t.Helper()
	if name != "r" {
		w.Git("", "init", "-q", name)
	}
	return clone{t, w, name, open(t, w, func(o *gitstore.Options) { o.Dir = w.Path(name) })}
}

// meet fetches from others and takes in what they have.
func (c clone) meet(others ...string) {
	c.t.Helper()
	for _, o := range others {
		c.fetch(o)
	}
	if err := mergingFetched(c.Store); err != nil {
		c.t.Fatalf("%s: %v", c.name, err)
	}
}

func (c clone) fetch(other string) {
	c.t.Helper()
	args := []string{"fetch", "-q", c.w.Path(other)}
	for _, part := range []string{"heads/*", "forks/*", "tags/*", "knowledge*"} {
		args = append(args, "+refs/sage/"+part+":refs/sage/remotes/"+other+"/"+part)
	}
	c.w.Git(c.name, args...)
}

// goOn saves, writes what all clones write, and merges nothing.
func (c clone) goOn(text string) {
	c.t.Helper()
	save(c.t, c.Store, text)
	item := "---\nid: a\ntype: knowledge\nkeywords: [k, " + text + "]\n---\n\n" + text + "\n"
	if err := c.Tree.WriteFiles(ctx, text, map[string][]byte{"knowledge/aa/a.md": []byte(item), "knowledge/aa/" + text + ".md": []byte("---\nid: x\n---\n" + text), "core.yaml": []byte("note:\n  summary: " + text + "\n")}); err != nil {
		c.t.Fatal(err)
	}
}

// apart leaves clones that merged with one another in several places at once, and
// went on: lines, knowledge, a fork and a tag differ.
func apart(t *testing.T, w *storetest.World) {
	r, b := newClone(t, w, "r"), newClone(t, w, "b")
	r.goOn("ground")
	b.meet("r")
	r.goOn("ours")
	b.goOn("theirs")
	r.fetch("b")
	b.fetch("r")
	both, other := merging(gitstore.MergeRequest{Rev: "refs/sage/remotes/b/heads/main"}), merging(gitstore.MergeRequest{Rev: "refs/sage/remotes/r/heads/main"})
	if err := errors.Join(both(r.Store), other(b.Store)); err != nil {
		t.Fatal(err)
	}
	r.goOn("ours-again")
	b.goOn("theirs-again")
	gone := save(t, b.Store, "wrong")
	if _, err := b.Checkpoints.Remove(ctx, []string{gone.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Lines.Tag(ctx, "v1", "@", false); err != nil {
		t.Fatal(err)
	}
	idle := open(t, w, session("idler"), func(o *gitstore.Options) { o.Dir = w.Path("b") })
	save(t, idle, "at first")
	save(t, b.Store, "by another")
	save(t, idle, "beside")
	r.fetch("b")
}

// purgedTwice leaves two clones that each took out another part of one text, while
// the third went on from the text itself and has not heard of either.
func purgedTwice(t *testing.T, w *storetest.World) {
	r, b, c := newClone(t, w, "r"), newClone(t, w, "b"), newClone(t, w, "c")
	r.goOn("ground")
	save(t, r.Store, "It says "+secret+" and moon landing.")
	b.meet("r")
	c.meet("r")
	for who, what := range map[clone]string{b: secret, c: "moon landing"} {
		if err := purging(gitstore.PurgeRequest{Match: what})(who.Store); err != nil {
			t.Fatal(err)
		}
	}
	c.goOn("theirs")
	save(t, r.Store, "It says "+secret+" again.")
	r.fetch("b")
	r.fetch("c")
}

// objects are those of our refs, by their files.
func (c *scene) objects() (files []string) {
	c.t.Helper()
	c.reset()
	for l := range strings.Lines(c.w.Git("r", "rev-list", "--objects", "--glob=refs/sage", "--glob=refs/notes")) {
		file := l[:2] + "/" + l[2:40]
		if _, err := os.Stat(c.w.Path("r/.git/objects", file)); err == nil {
			files = append(files, file)
		}
	}
	return files
}

// A harm is what became of an object's file.
type harm struct {
	name string
	do   func(file string) error
}

var harms = []harm{
	{"gone", os.Remove},
	{"rubbish", func(f string) error { return os.WriteFile(f, []byte("rubbish"), 0o444) }},
	{"empty", func(f string) error { return os.WriteFile(f, nil, 0o444) }},
}

// hurt harms an object and returns what makes it whole again.
func (c *scene) hurt(file string, h harm) (heal func()) {
	c.t.Helper()
	file = c.w.Path("r/.git/objects", file)
	whole, err := os.ReadFile(file)
	if err == nil {
		err = cmp.Or(os.Remove(file), os.WriteFile(file, nil, 0o644), h.do(file))
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return func() {
		_ = os.Remove(file)
		if err := os.WriteFile(file, whole, 0o444); err != nil {
			c.t.Fatal(err)
		}
	}
}

// Each object of ours is damaged in turn: it ends as it does without, or
// says in a line why not and moved nothing; and with the object back it goes well.
func TestEveryObjectIsDamaged(t *testing.T) {
	inMemory(t)
	for _, a := range deeds {
		t.Run(strings.ReplaceAll(a.name, " ", "-"), func(t *testing.T) {
			c := stage(t, a)
			objects, failed := c.objects(), 0
			for i, file := range objects {
				for k, h := range harms {
					if !thorough && k != i%len(harms) {
						continue
					}
					heal := c.hurt(file, h)
					err := c.try()
					heal()
					if err != nil {
						failed++
					}
					if c.judgeHurt(fmt.Sprintf("%s %s", file, h.name), err) {
						c.reset()
					}
				}
			}
			if err := c.try(); err != nil {
				t.Errorf("with all objects back: %v", err)
			}
			if d := diff.Diff(c.new.named(), c.look().named()); d != "" {
				t.Errorf("with all objects back (-new +now): %s", d)
			}
			if failed == 0 {
				t.Error("no object was needed")
			}
			t.Logf("%d objects: it failed %d times", len(objects), failed)
		})
	}
}

// own is a state without the refs that track remotes.
func own(st state) map[string]string {
	out := st.named()
	maps.DeleteFunc(out, func(ref, _ string) bool { return strings.HasPrefix(ref, "refs/sage/remotes/") })
	return out
}

// judgeHurt holds an act over a damaged object to the rule, and reports whether
// it moved a ref.
func (c *scene) judgeHurt(what string, err error) (moved bool) {
	c.t.Helper()
	now := c.look()
	if d := diff.Diff(c.old.User, now.User); d != "" {
		c.t.Errorf("%s: the user's own (-before +after): %s", what, d)
	}
	if err == nil && !diff.Equal(c.new.named(), now.named()) && diff.Equal(own(c.new), own(now)) { // what tracks a remote is taken over when it can be
		err = c.try()
		now = c.look()
		now.Sage["refs/sage/knowledge"] = c.new.Sage["refs/sage/knowledge"] // which says that it was
	}
	same := diff.Equal(c.old.Sage, now.Sage)
	switch {
	case err == nil:
		if d := diff.Diff(c.new.named(), now.named()); d != "" {
			c.t.Errorf("%s: went well, but (-new +now): %s", what, d)
		}
	case strings.Contains(err.Error(), "\n"):
		c.t.Errorf("%s: the error is no line: %q", what, err)
	case !same && !c.steps && (c.finished == "" || !strings.Contains(hint.Error(err), c.finished)):
		c.t.Errorf("%s: said %q, but (-old +now): %s", what, err, diff.Diff(c.old.Sage, now.Sage))
	}
	return !same
}
