//go:build unix

package faults_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// An act is something that a user does, in a repository that was made ready.
type act struct {
	name    string
	session string // "" is a person at the shell
	ready   func(t *testing.T, w *storetest.World)
	do      func(s *gitstore.Store) error

	// finished is what an error says where all refs have moved and what is left
	// to do is done when the act is done again; "" is an act without such a time.
	finished string
	steps    bool // each ref moves by itself, and says so
}

// acts is all that writes.
var acts = []act{
	{name: "first save", do: saving("first")},
	{name: "save", ready: readied, do: saving("second")},
	{name: "save of a session", session: "agent", ready: readied, do: saving("second")},
	{name: "save beside the line", session: "agent", ready: behind, do: saving("beside")},
	{name: "merge", ready: forked, do: merging(gitstore.MergeRequest{})},
	{name: "merge of a session", session: "agent", ready: forked, do: merging(gitstore.MergeRequest{})},
	{name: "merge fast-forward", ready: branched, do: merging(gitstore.MergeRequest{Rev: "idea"})},
	{name: "settle", ready: merged, do: merging(gitstore.MergeRequest{Thesis: "both, by size"})},
	{name: "abort merge", ready: merged, do: func(s *gitstore.Store) error { _, err := s.Checkpoints.AbortMerge(ctx); return err }},
	{name: "remove", ready: readied, do: func(s *gitstore.Store) error { _, err := s.Checkpoints.Remove(ctx, []string{"@~1"}); return err }},
	{name: "bring back", ready: buried, do: func(s *gitstore.Store) error {
		_, err := s.Checkpoints.RestoreRemoved(ctx, []string{"old"})
		return err
	}},
	{name: "tag", ready: readied, do: func(s *gitstore.Store) error { _, err := s.Lines.Tag(ctx, "v1", "@", false); return err }},
	{name: "delete tag", ready: buried, do: func(s *gitstore.Store) error { return s.Lines.DeleteTag(ctx, "old") }},
	{name: "branch", ready: readied, do: func(s *gitstore.Store) error { _, err := s.Lines.Branch(ctx, "new", "@~1"); return err }},
	{name: "switch", ready: branched, do: func(s *gitstore.Store) error { _, err := s.Lines.Switch(ctx, "idea", false, ""); return err }},
	{name: "switch to a new line", ready: readied, do: func(s *gitstore.Store) error { _, err := s.Lines.Switch(ctx, "new", true, ""); return err }},
	{name: "close line", ready: branched, do: func(s *gitstore.Store) error { return s.Lines.Delete(ctx, "idea") }},
	{name: "rename line", ready: readied, do: func(s *gitstore.Store) error { return s.Lines.Rename(ctx, "main", "trunk") }},
	{name: "write knowledge", ready: knowing, do: func(s *gitstore.Store) error {
		return s.Tree.WriteFiles(ctx, "change", map[string][]byte{"core.yaml": []byte("a: 2\n"), "knowledge/b.md": []byte("b\n"), "knowledge/a.md": nil})
	}},
	{name: "make an item private", ready: holding(false), do: turning(true)},
	{name: "share an item", ready: holding(true), do: turning(false)},
	{name: "restore", ready: readied, do: func(s *gitstore.Store) error { _, err := s.Lines.Restore(ctx, "@~1"); return err }},
	{name: "init", ready: readied, do: func(s *gitstore.Store) error { _, err := s.Repo.Init(ctx); return err }},
	{name: "merge what was fetched", ready: fetched, steps: true, do: func(s *gitstore.Store) error {
		out, err := s.Exchange.MergeFetched(ctx)
		for _, x := range out {
			if x.Act == gitstore.FetchedRefused {
				return cmp.Or(err, errors.New(x.Detail.Text))
			}
		}
		return err
	}},
	{name: "purge", ready: told, finished: "run it again", do: func(s *gitstore.Store) error {
		out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: secret})
		for _, l := range out.Left {
			err = cmp.Or(err, fmt.Errorf("%s: %s; run it again", l.Name, l.Why))
		}
		return err
	}},
	{name: "mark", session: "agent", ready: readied, do: marking},
	{name: "bring a session back", session: "agent", ready: marked, do: func(s *gitstore.Store) error {
		c, err := s.Session.ClaimMarker()
		if err == nil && c != nil {
			err = c.Delivered()
		}
		return err
	}},
	{name: "maintain", ready: readied, do: func(s *gitstore.Store) error { _, err := s.Upkeep.Maintain(ctx); return err }},
}

func marking(s *gitstore.Store) error { return s.Session.Mark(gitstore.Marker{Reason: "a fault"}) }

func marked(t *testing.T, w *storetest.World) {
	readied(t, w)
	if err := marking(open(t, w, session("agent"))); err != nil {
		t.Fatal(err)
	}
}

func saving(text string) func(*gitstore.Store) error {
	return func(s *gitstore.Store) error {
		got, err := s.Checkpoints.Save(ctx, thesis(text))
		if err == nil && got.ID == "" {
			return errors.New("acknowledged without an id")
		}
		return err
	}
}

func merging(m gitstore.MergeRequest) func(*gitstore.Store) error {
	return func(s *gitstore.Store) error { _, err := s.Checkpoints.Merge(ctx, m); return err }
}

func readied(t *testing.T, w *storetest.World) {
	s := open(t, w, session("agent"))
	save(t, s, "zero")
	save(t, s, "first")
}

// behind leaves the session's line moved by another.
func behind(t *testing.T, w *storetest.World) {
	readied(t, w)
	save(t, open(t, w), "by another")
}

func forked(t *testing.T, w *storetest.World) {
	behind(t, w)
	save(t, open(t, w, session("agent")), "beside")
}

func branched(t *testing.T, w *storetest.World) {
	readied(t, w)
	s := open(t, w)
	if _, err := s.Lines.Branch(ctx, "idea", "@"); err != nil {
		t.Fatal(err)
	}
	d := thesis("an idea")
	d.Line = "idea"
	if _, err := s.Checkpoints.Save(ctx, d); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lines.Switch(ctx, "main", false, ""); err != nil {
		t.Fatal(err)
	}
}

func merged(t *testing.T, w *storetest.World) {
	forked(t, w)
	m, err := open(t, w).Checkpoints.Merge(ctx, gitstore.MergeRequest{})
	if err != nil || !m.Unsettled {
		t.Fatalf("merge: %+v %v", m, err)
	}
}

func buried(t *testing.T, w *storetest.World) {
	readied(t, w)
	s := open(t, w)
	if _, err := s.Lines.Tag(ctx, "old", "@~1", false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Checkpoints.Remove(ctx, []string{"@~1"}); err != nil {
		t.Fatal(err)
	}
}

const secret = "zebra crossing"

// told leaves a secret in a checkpoint, the knowledge tree and what is packed.
func told(t *testing.T, w *storetest.World) {
	knowing(t, w)
	s := open(t, w)
	save(t, s, "it says "+secret)
	w.Git("r", "repack", "-dq")
	save(t, s, "after it")
}

// fetched leaves in the tracking refs what another clone saved beside us.
func fetched(t *testing.T, w *storetest.World) {
	knowing(t, w)
	save(t, open(t, w), "first")
	w.Git("", "clone", "-q", "r", "other")
	specs := func(to string) []string {
		return []string{"+refs/sage/heads/*:" + to + "heads/*", "+refs/sage/tags/*:" + to + "tags/*", "+refs/sage/knowledge:" + to + "knowledge"}
	}
	w.Git("other", append([]string{"fetch", "-q", "origin"}, specs("refs/sage/")...)...)
	there := open(t, w, func(o *gitstore.Options) { o.Dir = w.Path("other") })
	save(t, there, "theirs")
	if _, err := there.Lines.Tag(ctx, "v2", "@", false); err != nil {
		t.Fatal(err)
	}
	if err := there.Tree.WriteFiles(ctx, "theirs", map[string][]byte{"system/theirs.md": []byte("---\nid: system/theirs\n---\n\ntheirs\n")}); err != nil {
		t.Fatal(err)
	}
	save(t, open(t, w), "ours")
	w.Git("r", append([]string{"fetch", "-q", w.Path("other")}, specs("refs/sage/remotes/other/")...)...)
}

func knowing(t *testing.T, w *storetest.World) {
	s := open(t, w)
	if err := s.Tree.WriteFiles(ctx, "begin", map[string][]byte{"core.yaml": []byte("a: 1\n"), "knowledge/a.md": []byte("a\n"), "system/c.md": []byte("c\n")}); err != nil {
		t.Fatal(err)
	}
}

// holding leaves an item that is private, or is not, beside another that is not.
func holding(private bool) func(t *testing.T, w *storetest.World) {
	return func(t *testing.T, w *storetest.World) {
		knowing(t, w)
		it := &sage.Item{ID: "gate", Content: "the gate is locked at night"}
		it.SetPrivate(private)
		if _, err := open(t, w).Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Item: it}); err != nil {
			t.Fatal(err)
		}
	}
}

// turning has the item go from one half of the knowledge to the other.
func turning(private bool) func(*gitstore.Store) error {
	return func(s *gitstore.Store) error {
		s.Repo.Options.Person = true
		_, err := s.Knowledge.WriteItems(ctx, "", gitstore.ItemChange{Key: "gate", Edit: func(it *sage.Item) error { it.SetPrivate(private); return nil }})
		return err
	}
}

// A scene is a repository in which acts can be done again and again, each time
// as if it were the first.
type scene struct {
	t *testing.T
	w *storetest.World
	act
	old, new state
	judged   int
	unseen   string // the ref or session that the act was told is not there, or took for it; "" is none
}

func stage(t *testing.T, a act) *scene {
	t.Helper()
	c := &scene{t: t, w: storetest.New(t), act: a}
	c.w.Repo("r")
	c.w.Write("r/a.txt", "the user's change\n")
	if a.ready != nil {
		a.ready(t, c.w)
	}
	if out, err := exec.Command("cp", "-a", c.w.Path("r"), c.w.Path("ready")).CombinedOutput(); err != nil {
		t.Fatalf("copy: %s", out)
	}
	c.old = c.look()
	if err := c.try(); err != nil {
		t.Fatalf("%s without any fault: %v", a.name, err)
	}
	c.new = c.look()
	return c
}

// reset brings the repository back to where the act begins.
func (c *scene) reset() {
	c.t.Helper()
	for _, dir := range []string{c.w.Path("r"), c.w.Path("r/.git")} { // which stay: a copy would be somebody else's
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // the act may have taken all away
			c.t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() == ".git" {
				continue
			}
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				c.t.Fatal(err)
			}
		}
	}
	if err := os.MkdirAll(c.w.Path("r"), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", c.w.Path("ready")+"/.", c.w.Path("r")).CombinedOutput(); err != nil {
		c.t.Fatalf("copy: %s", out)
	}
}

// try does the act in a store of its own, as a process would.
func (c *scene) try() error { return c.in(c.do) }

func (c *scene) in(do func(*gitstore.Store) error) error {
	o := gitstore.Options{Dir: c.w.Path("r"), Home: c.w.Path("home/.sage"), Env: c.w.Env, Session: c.session}
	stopped(&o)
	s, err := gitstore.Open(ctx, o)
	if err != nil {
		return err
	}
	defer s.Close()
	return do(s)
}

// A state is what a user has, of us and of their own.
type state struct {
	Sage, User map[string]string
}

// look reads the state by git and by reading files, not through the store.
func (c *scene) look() state {
	c.t.Helper()
	st := state{map[string]string{}, map[string]string{}}
	refs := c.w.Git("r", "for-each-ref", "--format=%(refname) %(objectname) %(contents:subject)")
	for line := range strings.Lines(refs) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id, subject, _ := strings.Cut(rest, " "); strings.HasPrefix(name, "refs/sage/") {
			st.Sage[name] = subject + " " + id
		} else {
			st.User[name] = id
		}
	}
	for _, f := range []string{".git/HEAD", ".git/index", ".git/config", ".git/logs/HEAD", "a.txt"} {
		b, err := os.ReadFile(c.w.Path("r", f))
		if err != nil {
			c.t.Fatal(err)
		}
		st.User[f] = string(b)
	}
	return st
}

// named is a state without ids: what a save wrote may say less of the user's
// code when that could not be read.
func (st state) named() map[string]string {
	out := map[string]string{}
	for ref, v := range st.Sage {
		out[ref] = v[:strings.LastIndexByte(v, ' ')]
	}
	return out
}

// judge holds what an act did to the rule: an error and the old state, or
// success and the new one; then the act goes well and, of each third, a save and
// git's own check.
func (c *scene) judge(what string, err error, clean, hit bool) {
	c.t.Helper()
	now := c.look()
	if d := diff.Diff(c.old.User, now.User); d != "" {
		c.t.Errorf("%s: the user's own (-before +after): %s", what, d)
	}
	switch {
	case err != nil:
		half := c.finished != "" && strings.Contains(hint.Error(err), c.finished)
		old := maps.Clone(c.old.Sage)
		for ref, v := range c.new.Sage {
			if c.steps && now.Sage[ref] == v {
				old[ref] = v
			}
		}
		if d := diff.Diff(old, now.Sage); d != "" && !(half && diff.Equal(c.new.named(), now.named())) {
			c.t.Errorf("%s: said %q, but (-old +now): %s", what, err, d)
		}
		if strings.Contains(err.Error(), "\n") {
			c.t.Errorf("%s: the error is no line: %q", what, err)
		}
	default:
		if d := diff.Diff(c.new.named(), now.named()); d != "" && !c.excused(now) {
			c.t.Errorf("%s: acknowledged, but (-new +now): %s", what, d)
		}
	}
	if left := leftovers(c.t, c.w.Path("r/.git")); clean && len(left) > 0 {
		c.t.Errorf("%s: left behind (%v): %v", what, err, left)
	}
	if err != nil {
		if again := c.try(); again != nil {
			c.t.Errorf("%s: said %q; and then, without a fault: %v", what, err, again)
		}
		if d := diff.Diff(c.new.named(), c.look().named()); d != "" {
			c.t.Errorf("%s: done again (-new +now): %s", what, d)
		}
	}
	if c.judged++; !hit && err == nil || c.judged%3 != 0 {
		return
	}
	if _, err := open(c.t, c.w).Checkpoints.Save(ctx, thesis("life goes on")); err != nil {
		c.t.Errorf("%s: the next save: %v", what, err)
	}
	if out, err := c.w.TryGit("r", "fsck", "--full", "--no-dangling", "--no-progress"); err != nil || out != "" {
		c.t.Errorf("%s: git fsck: %v %s", what, err, out)
	}
}

// excused reports whether now is what comes of an act that did not see a ref, and so
// did nothing about some, or of one that did not know where its session was, and so
// saved on the line.
func (c *scene) excused(now state) bool {
	then, got, want := c.old.named(), now.named(), c.new.named()
	switch {
	case strings.Contains(c.unseen, "/sage/sessions/"):
		saved := slices.Sorted(maps.Values(got))
		return !slices.ContainsFunc(slices.Collect(maps.Values(want)), func(subject string) bool {
			_, here := slices.BinarySearch(saved, subject)
			return !here && !slices.Contains(slices.Collect(maps.Values(then)), subject)
		})
	case strings.Contains(c.unseen, "/refs/"):
		all := maps.Clone(want)
		maps.Copy(all, then)
		maps.Copy(all, got)
		for ref := range all {
			if got[ref] != then[ref] && got[ref] != want[ref] {
				return false
			}
		}
		return true
	}
	return false
}

// overlooks is the ref or session that an act, whose operation on it fails so, has to
// take for one that is not there.
func (tr trouble) overlooks(p point) string {
	if tr.err == syscall.ENOENT || strings.Contains(p.what, "/sage/sessions/") && !tr.onward {
		return p.what
	}
	return ""
}

// leftovers are the files that a write makes before it has a name, and git's
// locks. Those of our own that are locked by flock stay.
func leftovers(t *testing.T, dir string) (left []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if name := filepath.Base(path); strings.HasPrefix(name, ".tmp-") || strings.HasPrefix(name, "tmp_") || strings.HasSuffix(name, ".lock") && filepath.Base(filepath.Dir(path)) != "sage" {
			left = append(left, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// A trouble is how a disk fails: at one operation, or at all from then on.
type trouble struct {
	name   string
	err    error
	onward bool
	few    bool // points: it is found where another is
	hits   func(fsx.Op) bool
}

var troubles = []trouble{
	{name: "error", err: syscall.EIO, hits: always},
	{name: "vanished", err: syscall.ENOENT, few: true, hits: func(op fsx.Op) bool { return op != fsx.OpClose && op != fsx.OpSync && op != fsx.OpWrite }},
	{name: "full", err: syscall.ENOSPC, onward: true, hits: func(op fsx.Op) bool { return op.Changes() && op != fsx.OpRemove && op != fsx.OpClose }},
	{name: "read-only", err: syscall.EROFS, onward: true, few: true, hits: fsx.Op.Changes},
	{name: "dead", err: syscall.EIO, onward: true, few: true, hits: always},
}

func always(fsx.Op) bool { return true }

// A point is an operation that is to fail: the n-th of its sort on its sort of
// file. Counting all of them would not find it again, since some are done side by
// side.
type point struct {
	what string
	n    int
}

var random = regexp.MustCompile(`[0-9a-f]{2}/([0-9a-f]{38}|tmp_obj_\w+)|\.tmp-\d+|/[0-9a-f]{2}$`)

func (c *scene) pointAt(op fsx.Op, path string) string {
	return string(op) + " " + random.ReplaceAllString(strings.TrimPrefix(path, c.w.Dir), "x")
}

// inMemory has the test's folders in memory where there is such a place: it
// makes a thousand repositories, and syncs that are real cost it most of its time.
func inMemory(t *testing.T) {
	const dir = "/dev/shm"
	if f, err := os.CreateTemp(dir, "probe"); err == nil {
		_ = f.Close()
		_ = os.Remove(f.Name())
		t.Setenv("TMPDIR", dir)
	}
}

// points are where a trouble is tried: everywhere if the test is thorough, else at
// the first of each sort that opening a store does not meet, but for one act; and
// of some troubles, or of an act that takes long, at a few of those. The last one is
// not there and must not fail.
func (c *scene) points(tr trouble) []point {
	c.t.Helper()
	all, each := c.operations(tr, c.try), 3
	if !thorough {
		each = 7
		var open []point
		if c.name != "save" {
			open = c.operations(tr, func() error { return c.in(func(*gitstore.Store) error { return nil }) })
		}
		all = slices.DeleteFunc(all, func(p point) bool { return p.n > 1 || slices.Contains(open, p) })
	}
	if tr.few || c.finished != "" {
		all = slices.DeleteFunc(all, func(p point) bool { return (len(p.what)+p.n)%each != 0 })
	}
	return append(all, point{"never", 1})
}

// operations are those of f that a trouble hits.
func (c *scene) operations(tr trouble, f func() error) (all []point) {
	c.t.Helper()
	c.reset()
	seen := map[string]int{}
	var mu sync.Mutex
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		mu.Lock()
		defer mu.Unlock()
		if tr.hits(op) {
			what := c.pointAt(op, path)
			seen[what]++
			all = append(all, point{what, seen[what]})
		}
		return nil
	})
	err := f()
	restore()
	if err != nil {
		c.t.Fatalf("%s without any fault: %v", c.name, err)
	}
	mu.Lock() // who looks why a git takes long may be at it yet
	defer mu.Unlock()
	return slices.Clone(all)
}

// strike makes an operation fail, and those after it if the trouble goes on. hit
// says whether it was met.
func (c *scene) strike(tr trouble, p point) (hit func() bool, restore func()) {
	var mu sync.Mutex
	var n int
	struck := false
	restore = fsx.Inject(func(op fsx.Op, path string) error {
		mu.Lock()
		defer mu.Unlock()
		if !tr.hits(op) {
			return nil
		}
		if strings.HasPrefix(p.what, string(op)+" ") && c.pointAt(op, path) == p.what {
			n++
		}
		if n == p.n && !struck || struck && tr.onward {
			struck = true
			return tr.err
		}
		return nil
	})
	return func() bool { mu.Lock(); defer mu.Unlock(); return struck }, restore
}

// Case A17: every file operation of every act fails in turn, in each way that disks fail.
func TestEveryFileOperationFails(t *testing.T) {
	inMemory(t)
	points := 0
	for _, a := range acts {
		t.Run(strings.ReplaceAll(a.name, " ", "-"), func(t *testing.T) {
			c := stage(t, a)
			for i, tr := range troubles {
				for k, p := range c.points(tr) {
					if testing.Short() && (i+k)%5 != 0 && p.what != "never" { // a point meets each fifth of the troubles
						continue
					}
					c.reset()
					hit, restore := c.strike(tr, p)
					err := c.try()
					restore()
					what := fmt.Sprintf("%s at %s (%d)", tr.name, p.what, p.n)
					if !hit() {
						if what = "without any fault"; err != nil {
							t.Errorf("%s: %v", what, err)
						}
					} else {
						points++
					}
					c.unseen = tr.overlooks(p)
					c.judge(what, err, !tr.onward && !strings.HasPrefix(p.what, "unlink "), hit())
				}
			}
		})
	}
	t.Logf("%d operations failed", points)
}

// gitTroubles are the ways in which one call of git goes wrong. A git that says
// that all went well and did nothing is no git.
var gitTroubles = []storetest.How{storetest.Fail, storetest.Die, storetest.Killed, storetest.Behind}

// Every call of git that an act makes goes wrong in turn.
func TestEveryGitCallFails(t *testing.T) {
	inMemory(t)
	points := 0
	for _, a := range acts {
		t.Run(strings.ReplaceAll(a.name, " ", "-"), func(t *testing.T) {
			if a.finished != "" && !thorough {
				t.Skip("it calls git often: TestPurgeGitFails of gitstore does this at a part of the calls")
			}
			c := stage(t, a)
			g := c.w.FaultyGit()
			for i, how := range gitTroubles {
				if !thorough && i%2 == 1 { // the next worse one finds the same
					continue
				}
				k, step := 1, 1
				switch {
				case thorough && a.finished != "": // each call goes wrong in one way or two
					k, step = 1+i%3, 3
				case !thorough && !a.steps && a.name != "save": // each call goes wrong in one way
					k, step = 1+i/2, 2
				}
				if testing.Short() {
					step *= 2
				}
				for ; ; k += step {
					c.reset()
					g.Call(k, how)
					err := c.try()
					calls := g.Calls()
					g.Heal()
					if len(calls) < k {
						if err != nil {
							t.Errorf("without any fault: %v", err)
						}
						break
					}
					points++
					c.judge(fmt.Sprintf("%s at call %d of git, %s", how, k, calls[k-1]), err, true, true)
				}
			}
		})
	}
	t.Logf("%d calls of git failed", points)
}
