package history_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/codeindex/internal/history"
	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// A repository is made by a test. Each of its commits is a minute later.
type repository struct {
	t   *testing.T
	dir string
	env []string
	now int64
}

func newRepository(t *testing.T) *repository {
	w := storetest.New(t)
	r := &repository{t, t.TempDir(), w.Env, 1_700_000_000}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	c := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	r.now += 60
	date := fmt.Sprintf("%d +0000", r.now)
	c.Env = append(slices.Clone(r.env), "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE="+date)
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit changes files and returns the id of the commit.
func (r *repository) commit(message string, files ...string) string {
	r.t.Helper()
	for _, f := range files {
		name := filepath.Join(r.dir, f)
		old, _ := os.ReadFile(name)
		if err := os.WriteFile(name, append(old, message+f+"\n"...), 0o600); err != nil {
			r.t.Fatal(err)
		}
	}
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// elsewhere makes n commits, beside which others are no chance.
func (r *repository) elsewhere(n int) {
	for range n {
		r.commit("another", "elsewhere")
	}
}

// Records implements view.Git.
func (r *repository) Records(ctx context.Context, fn func([]byte) bool, args ...string) error {
	c := exec.CommandContext(ctx, "git", args...)
	c.Env = r.env
	out, err := c.Output()
	for _, rec := range bytes.Split(bytes.TrimSuffix(out, []byte{0}), []byte{0}) {
		if !fn(rec) {
			return nil
		}
	}
	return err
}

func (r *repository) read(tip string, old *history.History) *history.History {
	r.t.Helper()
	h, err := history.Read(r.t.Context(), r, r.dir, tip, old)
	if err != nil {
		r.t.Fatal(err)
	}
	return h
}

func (r *repository) at(h *history.History, oid string) *history.Past {
	r.t.Helper()
	p, ok := h.At(oid)
	if !ok {
		r.t.Fatalf("%s is not known", oid)
	}
	return p
}

// companions are those of a file, as text.
func companions(p *history.Past, path string) string {
	var out []string
	for _, c := range p.Companions(path) {
		out = append(out, fmt.Sprintf("%s %d %.2f", c.Path, c.Commits, c.Share))
	}
	return strings.Join(out, ", ")
}

func TestCompanions(t *testing.T) {
	r := newRepository(t)
	r.commit("begin", "a", "b", "other")
	r.commit("an unrelated change", "other")
	r.elsewhere(6)
	first := r.commit("change both", "a", "b")
	r.commit("only one", "a")
	var many []string
	for i := range 31 {
		many = append(many, fmt.Sprint("many", i))
	}
	r.commit("a mass edit", append(many, "a", "b")...)
	r.commit("change both", "a", "b")
	r.git("mv", "a", "renamed")
	r.commit("give it a name")
	r.git("checkout", "-q", "-b", "side", first)
	side := r.commit("on a side", "other", "b")
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "--no-edit", "-X", "ours", "side")
	tip := r.commit("change both", "renamed", "b")

	h := r.read(tip, nil)
	for _, tt := range []struct {
		name, at, path string
		commits        int
		want           string
	}{
		{"renamed", tip, "renamed", 6, "b 4 0.67"},
		{"by its old name", tip, "a", 0, ""},
		{"of what comes later nothing is known", first, "a", 2, "b 2 1.00"},
		{"nor of another branch", side, "other", 3, "b 2 0.67"},
		{"unknown", tip, "nothing", 0, ""},
	} {
		p := r.at(h, tt.at)
		if got := companions(p, tt.path); got != tt.want || p.Changes(tt.path) != tt.commits {
			t.Errorf("%s: %s has %q of %d commits, want %q of %d", tt.name, tt.path, got, p.Changes(tt.path), tt.want, tt.commits)
		}
	}
}

// TestCompanionsOfAShortHistory are those that change with a file whenever it does, although
// chance would have it so, too.
func TestCompanionsOfAShortHistory(t *testing.T) {
	r := newRepository(t)
	r.commit("begin", "a", "b", "log")
	r.commit("again", "a", "b", "log")
	r.commit("alone", "log")
	r.commit("alone", "log")
	tip := r.commit("alone", "log")
	if got, want := companions(r.at(r.read(tip, nil), tip), "a"), "b 2 1.00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.commit("both", "a", "b")
	tip = r.commit("both", "a", "b")
	if got, want := companions(r.at(r.read(tip, nil), tip), "a"), "b 4 1.00"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestReadGoesOn reads what is new alone, of any branch, and comes to what one reading finds.
func TestReadGoesOn(t *testing.T) {
	r := newRepository(t)
	r.elsewhere(6)
	base := r.commit("begin", "a", "b")
	r.commit("on main", "a", "b")
	h := r.read(r.git("rev-parse", "HEAD"), nil)
	r.git("checkout", "-q", "-b", "side", base)
	r.commit("on side", "a", "c")
	side := r.commit("on side", "a", "c")
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "--no-edit", "-X", "ours", "side")
	tip := r.commit("on main again", "b", "c")

	steps := r.read(tip, r.read(side, h))
	whole := r.read(tip, nil)
	if steps.Len() != 12 || whole.Len() != 12 {
		t.Fatalf("%d and %d commits, want 12", steps.Len(), whole.Len())
	}
	for _, path := range []string{"a", "b", "c"} {
		if a, b := companions(r.at(steps, tip), path), companions(r.at(whole, tip), path); a != b || a == "" {
			t.Errorf("%s has %q, want %q", path, a, b)
		}
	}
	if again := r.read(tip, steps); again != steps {
		t.Error("nothing is new, and another history was made")
	}
}

// TestFile writes and reads a file, of which no byte may change.
func TestFile(t *testing.T) {
	r := newRepository(t)
	r.commit("begin", "a", "b")
	tip := r.commit("change both\n\nand say why\n\nSigned-off-by: a", "a", "b")
	h := r.read(tip, nil)
	id := [32]byte{1}
	written := func(h *history.History) []byte {
		var b bytes.Buffer
		if err := h.Write(&b, id); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	file := written(h)
	got, err := history.Open(disk.Bytes(file), id)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written(got), file) || companions(r.at(got, tip), "a") != companions(r.at(h, tip), "a") {
		t.Error("what was read is not what was written")
	}
	if _, err := history.Open(disk.Bytes(file), [32]byte{2}); !errors.Is(err, box.ErrDamaged) {
		t.Errorf("of another repository: %v", err)
	}
	for i := range file {
		bad := bytes.Clone(file)
		bad[i] ^= 1
		if got, err := history.Open(disk.Bytes(bad), id); err == nil && !bytes.Equal(written(got), file) {
			t.Fatalf("byte %d is another, and nobody noticed", i)
		}
	}
	for _, n := range []int{0, 1, 1000, len(file) - 1} {
		if _, err := history.Open(disk.Bytes(file[:n]), id); err == nil {
			t.Errorf("cut at %d, and nobody noticed", n)
		}
	}
}

// A commit counts the less, the more files it changed and the older it is. Its trailers say
// nothing.
func TestMessages(t *testing.T) {
	r := newRepository(t)
	r.commit("Parse headers", "old")
	r.now += 2 * 365 * 24 * 3600
	r.commit("Parse headers\n\nSigned-off-by: Zebra <zebra@example.com>", "a")
	r.commit("Parsing headers of both", "a", "b")
	for range 5 {
		r.commit("A header", "often")
	}
	tip := r.commit("Nothing", "c")
	p := r.at(r.read(tip, nil), tip)
	got := map[string]string{}
	for path, w := range p.Messages(words.Of("header zebra both")) {
		got[path] = fmt.Sprintf("%.2f", w)
	}
	want := map[string]string{"old": "[0.50 0.00 0.00]", "a": "[1.71 0.00 0.71]", "b": "[0.71 0.00 0.71]", "often": "[3.00 0.00 0.00]"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What a branch left behind is dropped, and what is read afterwards is added to the rest.
func TestPrune(t *testing.T) {
	r := newRepository(t)
	base := r.commit("base", "kept.go")
	r.git("switch", "-q", "-c", "left")
	left := r.commit("left", "left.go")
	h := r.read(left, nil)
	if h.Prune([]string{left, base}) != h {
		t.Error("nothing was to be dropped")
	}
	pruned := h.Prune([]string{base})
	if pruned.Len() != 1 || pruned.Has(left) || !pruned.Has(base) || r.at(pruned, base).Changes("kept.go") != 1 {
		t.Errorf("%d commits are left", pruned.Len())
	}
	r.git("switch", "-q", "main")
	tip := r.commit("more", "kept.go", "new.go")
	if p := r.at(r.read(tip, pruned), tip); p.Changes("kept.go") != 2 || p.Changes("new.go") != 1 || p.Changes("left.go") != 0 {
		t.Error("what was read after it is not right")
	}
	if none := h.Prune(nil); none.Len() != 0 {
		t.Errorf("%d commits are left of none", none.Len())
	}
}
