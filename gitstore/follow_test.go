package gitstore_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// following is a repository that follows its branches, with a checkpoint on main.
func following(t *testing.T) *storetest.World {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "symbolic-ref", "HEAD", "refs/heads/main")
	w.Git("r", "config", "sage.followBranch", "true")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "c1")
	save(t, open(t, w, "r"), "ground")
	return w
}

func line(t *testing.T, w *storetest.World, dir string, change ...func(*gitstore.Options)) string {
	t.Helper()
	return open(t, w, dir, change...).Session.CurrentLine()
}

func noteOf(w *storetest.World, name string) string {
	out, err := w.TryGit("r", "cat-file", "-p", "refs/sage/knowledge:lines/"+name+".yaml")
	if err != nil {
		return ""
	}
	return out
}

// Processes that save first on a branch, at once, make one line, which begins once, and
// one note.
func TestFollowRace(t *testing.T) {
	w := following(t)
	w.Git("r", "switch", "-q", "-c", "feature/x")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	const writers = 6
	for i := range writers {
		cmd := exec.Command(exe)
		cmd.Dir = w.Path("r")
		cmd.Env = append(slices.Clone(w.Env), fmt.Sprintf("STORETEST_NAME=p%d", i), "STORETEST_SAVES=2")
		if i%2 == 0 {
			cmd.Env = append(cmd.Env, fmt.Sprintf("STORETEST_SESSION=session-%d", i))
		}
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	s := open(t, w, "r")
	lines, err := s.Lines.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var heads []string
	for _, l := range lines {
		if !l.Fork {
			heads = append(heads, l.Name)
		}
	}
	if strings.Join(heads, " ") != "feature-x main" {
		t.Errorf("lines: %v", heads)
	}
	all := w.Git("r", "rev-list", "--glob=refs/sage/heads/*", "--glob=refs/sage/forks/*")
	if n := len(strings.Fields(all)); n != 1+2*writers {
		t.Errorf("%d checkpoints, want %d", n, 1+2*writers)
	}
	if roots := w.Git("r", "rev-list", "--max-parents=0", "refs/sage/heads/feature-x"); len(strings.Fields(roots)) != 1 {
		t.Errorf("the line has roots: %s", roots)
	}
	if got := noteOf(w, "feature-x"); !strings.HasPrefix(got, "branches:\n    - feature/x\nbegan: ") {
		t.Errorf("note: %q", got)
	}
	if findings, err := s.Fsck.Findings(ctx); err != nil || len(findings) != 0 {
		t.Errorf("fsck: %v, %v", findings, err)
	}
}

// What is kept beside git may be lost, torn or a lie: the line stays the same, and nothing
// outside is touched.
func TestFollowWithoutBond(t *testing.T) {
	w := following(t)
	w.Git("r", "switch", "-q", "-c", "feature/x")
	save(t, open(t, w, "r"), "x one")
	files, err := filepath.Glob(w.Path("r/.git/sage/branches/*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, text := range []string{"", "{", "[]", `{"branch":"feature/x","line":"../../x"}`, `{"branch":"feature/y","line":"main"}`, `{"branch":7}`, strings.Repeat("x", 1<<16)} {
		must(t, os.WriteFile(files[0], []byte(text), 0o644))
		if got := line(t, w, "r"); got != "feature-x" {
			t.Errorf("%.20q: line %s", text, got)
		}
	}
	must(t, os.Remove(files[0]))
	before := w.Git("r", "rev-parse", "refs/sage/knowledge")
	if got := save(t, open(t, w, "r"), "x two"); got.Line != "feature-x" || len(got.Warnings) != 0 {
		t.Errorf("%+v", got)
	}
	if after := w.Git("r", "rev-parse", "refs/sage/knowledge"); after != before {
		t.Error("what was noted is noted again")
	}
}

// HEAD that names what no branch can be is followed nowhere.
func TestFollowOddHead(t *testing.T) {
	w := following(t)
	head := w.Path("r/.git/HEAD")
	for _, text := range []string{"ref: refs/heads/../../../x\n", "ref: refs/heads/-x\n", "ref: refs/heads/a b\n", "ref: refs/heads/" + strings.Repeat("y", 2000) + "\n"} {
		must(t, os.WriteFile(head, []byte(text), 0o644))
		s, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Home: w.Path("home/.sage"), Env: w.Env, Now: storetest.Clock()})
		if err != nil { // git refuses it
			continue
		}
		if got := s.Session.CurrentLine(); got != "main" || s.Follow.GitBranch() != "" {
			t.Errorf("%.40q: line %s, branch %q", text, got, s.Follow.GitBranch())
		}
		_ = s.Close()
	}
}

// A linked work tree, whose git directory lies elsewhere, and refs in packs are followed
// as a plain repository is.
func TestFollowElsewhere(t *testing.T) {
	w := following(t)
	w.Git("r", "worktree", "add", "-q", "../tree", "-b", "side")
	w.Git("tree", "commit", "-q", "--allow-empty", "-m", "c2")
	got := save(t, open(t, w, "tree"), "in the tree")
	if got.Line != "side" || len(got.Parents) != 1 || line(t, w, "r") != "main" {
		t.Errorf("%+v", got)
	}
	w.Git("r", "pack-refs", "--all")
	w.Git("tree", "branch", "-m", "side", "wide")
	if l := line(t, w, "tree"); l != "side" {
		t.Errorf("renamed: line %s", l)
	}
	if got := save(t, open(t, w, "tree"), "renamed"); got.Line != "side" || got.Forked {
		t.Errorf("%+v", got)
	}
	w.Git("r", "worktree", "remove", "--force", "../tree")
	w.Git("r", "branch", "-q", "-D", "wide")
	save(t, open(t, w, "r"), "main two")
	if note := noteOf(w, "side"); !strings.Contains(note, "closed: true") {
		t.Errorf("note: %s", note)
	}
}

// A branch without a commit, on which another work tree is, is not gone.
func TestFollowUnbornElsewhere(t *testing.T) {
	w := following(t)
	w.Git("r", "worktree", "add", "-q", "../tree", "-b", "side")
	w.Git("tree", "switch", "-q", "--orphan", "bare-idea")
	save(t, open(t, w, "tree"), "an idea")
	save(t, open(t, w, "r"), "main goes on")
	if note := noteOf(w, "bare-idea"); strings.Contains(note, "closed") || line(t, w, "tree") != "bare-idea" {
		t.Errorf("line %s, note: %s", line(t, w, "tree"), note)
	}
}

// A line begins at the nearest checkpoint whose code is behind HEAD, wherever its branch
// was made.
func TestFollowStart(t *testing.T) {
	w := following(t)
	w.Git("r", "switch", "-q", "-c", "a")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "c2")
	a1 := save(t, open(t, w, "r"), "a one")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "c3")
	save(t, open(t, w, "r"), "a two")
	w.Git("r", "switch", "-q", "-c", "b", "HEAD~1") // where 'a one' was saved
	b := open(t, w, "r")
	if ref, seen := b.Session.Position(); ref != "refs/sage/heads/b" || seen != a1.ID {
		t.Errorf("at %s %s", ref, seen)
	}
	if got := save(t, b, "b one"); got.Line != "b" || got.Forked || got.Parents[0] != a1.ID {
		t.Errorf("%+v", got)
	}
	w.Git("r", "switch", "-q", "--orphan", "c")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "root")
	if got := save(t, open(t, w, "r"), "c one"); got.Line != "c" || got.Parents[0] != w.Git("r", "rev-parse", "refs/sage/heads/main") {
		t.Errorf("without any code in common: %+v", got)
	}
}

// A session that is begun on a branch saves where HEAD is when it saves, and forks only
// where another one moved that line.
func TestFollowSession(t *testing.T) {
	w := following(t)
	w.Git("r", "branch", "side")
	one := session("aaaaaaaa-1")
	must(t, open(t, w, "r", one).Session.Begin(ctx))
	save(t, open(t, w, "r", one), "main by one")
	w.Git("r", "switch", "-q", "side")
	if got := save(t, open(t, w, "r", one), "side by one"); got.Line != "side" || got.Forked {
		t.Errorf("%+v", got)
	}
	save(t, open(t, w, "r", session("bbbbbbbb-2")), "side by two")
	forked := save(t, open(t, w, "r", one), "side by one again")
	if !forked.Forked || forked.Line != "side" {
		t.Errorf("%+v", forked)
	}
	w.Git("r", "switch", "-q", "main")
	if got := save(t, open(t, w, "r", one), "back on main"); got.Line != "main" || got.Forked {
		t.Errorf("%+v", got)
	}
	w.Git("r", "switch", "-q", "side")
	if got := save(t, open(t, w, "r", one), "back on its fork"); got.Ref != forked.Ref || got.Parents[0] != forked.ID {
		t.Errorf("%+v", got)
	}
}

// A session that began on a branch, and saved nothing, is where all are when branches are
// followed no more.
func TestFollowNoMore(t *testing.T) {
	w := following(t)
	w.Git("r", "switch", "-q", "-c", "side")
	one := session("aaaaaaaa-1")
	must(t, open(t, w, "r", one).Session.Begin(ctx))
	w.Git("r", "config", "sage.followBranch", "false")
	if got := save(t, open(t, w, "r", one), "on main"); got.Line != "main" || len(got.Parents) != 1 {
		t.Errorf("%+v", got)
	}
}

// A merge into a line that does not exist yet begins it first.
func TestFollowMergeBegins(t *testing.T) {
	w := following(t)
	w.Git("r", "switch", "-q", "-c", "a")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "c2")
	save(t, open(t, w, "r"), "a one")
	w.Git("r", "switch", "-q", "-c", "b", "main")
	m, err := open(t, w, "r").Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: "a", Thesis: "both"})
	if err != nil || m.Line != "b" || len(m.Parents) != 2 || m.Parents[0] != w.Git("r", "rev-parse", "refs/sage/heads/main") {
		t.Errorf("%+v, %v", m, err)
	}
}

// Names of branches become names of lines that git and every file system take.
func FuzzLineOfBranch(f *testing.F) {
	for _, name := range []string{"feature/Auth-2", "main", "Main", "功能", "con", "x..y", "a.lock", strings.Repeat("z/", 300), "@", "ä/ö", ".x", "x/", "--", "a\tb"} {
		f.Add(name)
	}
	s := open(f, emptyRepo(f), "r")
	f.Fuzz(func(t *testing.T, branch string) {
		for range 2 {
			taken := map[string]bool{}
			for range 5 {
				name := gitstore.LineOfBranch(s, branch, func(name string) bool { return !taken[name] })
				if err := gitstore.CheckName(name); err != nil || taken[name] {
					t.Fatalf("%q: %q, %v", branch, name, err)
				}
				taken[name] = true
			}
		}
	})
}

func emptyRepo(t testing.TB) *storetest.World {
	w := storetest.New(t)
	w.Repo("r")
	return w
}
