package gitstore_test

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Case L172: nothing falls through to the user's own refs.
func TestResolve(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	a := save(t, s, "a")
	d := thesis("b")
	d.Checkpoint.Aliases = []string{"2026-01-16T12-00-00_checkpoint-name"}
	b, err := s.Checkpoints.Save(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	c := save(t, s, "c")
	if _, err := s.Lines.Tag(ctx, "v1", a.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lines.Branch(ctx, "side", b.ID); err != nil {
		t.Fatal(err)
	}
	head := w.Git("r", "rev-parse", "HEAD")
	for rev, want := range map[string]string{
		"@": c.ID, "@~1": b.ID, "@~2": a.ID, "@^": b.ID, "@^1~1": a.ID, "@~0": c.ID, "main": c.ID, "main~2": a.ID, "v1": a.ID, "side": b.ID,
		b.ID[:7]: b.ID, "2026-01-16T12-00-00_checkpoint-name": b.ID, "main@{1}": b.ID, "@{2}": a.ID,
		"HEAD": "", head: "", head[:8]: "", "master": "", "refs/heads/main": "", "nope": "", "@~3": "", "@^2": "", "-rf": "", "--help": "", "a b": "", "main@{": "", "../x": "", "": c.ID, "v1:checkpoint.md": "", "@~99999999999999999999": "", "main\n": "", "con": "",
	} {
		got, err := s.Commits.Resolve(ctx, rev)
		if got != want && !(want == "" && err != nil) {
			t.Errorf("%q: %s %v, want %s", rev, got, err, want)
		}
		if want == "" && (err == nil || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: %v", rev, err)
		}
	}
}

// Only checkpoints count for a short id: not the user's objects, and not what a
// lost race left behind.
// It is case L172.
func TestShortIDs(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one := save(t, s, "one")
	for i := 0; ; i++ { // a blob of the user's that begins alike
		text := fmt.Sprintf("blob %d", i)
		if strings.HasPrefix(fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))), one.ID[:4]) {
			w.Write("blob", text)
			w.Git("r", "hash-object", "-w", "../blob")
			break
		}
	}
	if got, err := s.Commits.Resolve(ctx, one.ID[:4]); err != nil || got != one.ID {
		t.Errorf("%s %v", got, err)
	}
	twin, stray := like(t, w, one.ID), ""
	w.Git("r", "update-ref", "refs/sage/heads/twin", twin)
	_, err := s.Commits.Resolve(ctx, one.ID[:4])
	var many *gitstore.AmbiguousError
	if !errors.As(err, &many) || len(many.Candidates) != 2 {
		t.Errorf("got %v", err)
	}
	w.Git("r", "update-ref", "-d", "refs/sage/heads/twin")
	if stray, err = s.Commits.Resolve(ctx, one.ID[:4]); err != nil || stray != one.ID {
		t.Errorf("with an unreachable twin: %s %v", stray, err)
	}
}

// like makes a commit in our form whose id begins with the same four digits.
func like(t *testing.T, w *storetest.World, id string) string {
	t.Helper()
	raw := w.Git("r", "cat-file", "commit", id)
	head, msg, _ := strings.Cut(raw, "\n\n")
	for i := 0; ; i++ {
		body := fmt.Sprintf("%s\n\ntwin %d %s\n", head, i, msg)
		got := fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "commit %d\x00%s", len(body), body)))
		if strings.HasPrefix(got, id[:4]) && got != id {
			w.Write("twin", body)
			cmd := exec.Command("git", "hash-object", "-w", "-t", "commit", w.Path("twin"))
			cmd.Dir, cmd.Env = w.Path("r"), w.Env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			return got
		}
	}
}

func TestTagsAndLines(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	a, b := save(t, s, "a"), save(t, s, "b")
	if _, err := s.Lines.Tag(ctx, "v1", a.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lines.Tag(ctx, "v1", b.ID, false); !errors.Is(err, gitstore.ErrExists) {
		t.Errorf("%v", err)
	}
	if _, err := s.Lines.Tag(ctx, "v1", b.ID, true); err != nil {
		t.Error(err)
	}
	w.Git("r", "update-ref", "refs/sage/remotes/origin/tags/v1", b.ID)
	if _, err := s.Lines.Tag(ctx, "v1", a.ID, true); err == nil {
		t.Error("a pushed tag was moved")
	}
	if err := s.Lines.DeleteTag(ctx, "v1"); err == nil {
		t.Error("a pushed tag was deleted")
	}
	for _, bad := range []string{"", "A", "a/b", "a..b", "x.lock", "nul", "com1.txt", "-x", strings.Repeat("a", 101), "ä", "a\x00"} {
		if _, err := s.Lines.Branch(ctx, bad, "@"); !errors.Is(err, gitstore.ErrName) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := s.Lines.Branch(ctx, "old", "@~1"); err != nil {
		t.Fatal(err)
	}
	must(t, s.Lines.Rename(ctx, "old", "new"))
	lines, err := s.Lines.List(ctx)
	if err != nil || len(lines) != 3 || !lines[2].Note.Closed || lines[2].Note.RenamedTo != "new" || lines[1].Latest.ID != a.ID {
		t.Errorf("%+v %v", lines, err)
	}
	if err := s.Lines.Delete(ctx, "main"); err == nil {
		t.Error("the current line was closed")
	}
	if _, err := s.Lines.Switch(ctx, "new", false, ""); err != nil || s.Session.CurrentLine() != "new" {
		t.Errorf("%v, on %s", err, s.Session.CurrentLine())
	}
	if _, err := s.Lines.Switch(ctx, "nowhere", false, ""); !errors.Is(err, gitstore.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// Each worktree has a current line of its own.
func TestLinesOfWorktrees(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "worktree", "add", "-q", "../wt")
	s, wt := open(t, w, "r"), open(t, w, "wt")
	save(t, s, "start")
	if _, err := wt.Lines.Switch(ctx, "other", true, ""); err != nil {
		t.Fatal(err)
	}
	if got := save(t, wt, "there"); got.Line != "other" {
		t.Errorf("%+v", got)
	}
	if got := save(t, s, "here"); got.Line != "main" {
		t.Errorf("%+v", got)
	}
}

// A restore that neither knows of the removal nor follows it wins, on whatever
// line it was made.
func TestConcurrentRestoreWins(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	a := save(t, s, "a")
	save(t, s, "b")
	base := w.Git("r", "rev-parse", "refs/sage/heads/main")
	if _, err := s.Checkpoints.Remove(ctx, []string{a.ID}); err != nil {
		t.Fatal(err)
	}
	removed := w.Git("r", "rev-parse", "refs/sage/heads/main")
	if _, err := s.Checkpoints.RestoreRemoved(ctx, []string{a.ID}); err != nil {
		t.Fatal(err)
	}
	restored := w.Git("r", "rev-parse", "refs/sage/heads/main")
	w.Git("r", "update-ref", "refs/sage/heads/main", removed)
	wantList(t, subjects(t, s, gitstore.Query{}), "b")
	w.Git("r", "update-ref", "refs/sage/heads/other", restored) // follows it
	wantList(t, subjects(t, s, gitstore.Query{}), "b", "a")
	w.Git("r", "update-ref", "refs/sage/heads/other", base) // a teammate's, who knows of neither
	wantList(t, subjects(t, s, gitstore.Query{}), "b")
	msg := w.Git("r", "log", "-1", "--format=%B", restored)
	w.Write("msg", msg+"\n")
	beside := w.Git("r", "commit-tree", "-p", base, "-F", w.Path("msg"), restored+"^{tree}")
	w.Git("r", "update-ref", "refs/sage/heads/other", beside) // made beside the removal
	wantList(t, subjects(t, s, gitstore.Query{}), "b", "a")
}

func TestPrunable(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	var ids []string
	for i := range 6 {
		ids = append(ids, save(t, s, fmt.Sprint(i)).ID)
	}
	if _, err := s.Lines.Tag(ctx, "keep", ids[0], false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lines.Branch(ctx, "side", ids[1]); err != nil {
		t.Fatal(err)
	}
	d := thesis("aside")
	d.Line = "side"
	if _, err := s.Checkpoints.Save(ctx, d); err != nil {
		t.Fatal(err)
	}
	recs, err := s.Checkpoints.Prunable(ctx, 2, 0)
	var got []string
	for _, r := range recs {
		got = append(got, r.Description)
	}
	if err != nil || strings.Join(got, " ") != "3 2" { // 0 is tagged, at 1 lines part
		t.Errorf("%v %v", got, err)
	}
	if _, err := s.Checkpoints.Remove(ctx, []string{ids[2], ids[3]}); err != nil {
		t.Fatal(err)
	}
	if recs, err = s.Checkpoints.Prunable(ctx, 2, 0); err != nil || len(recs) != 0 {
		t.Errorf("%v %v", recs, err)
	}
}

func TestSecretsNeverReachAnObject(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	secret := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	c := sage.Checkpoint{Thesis: "the token is " + secret, KeyEvidence: []string{secret}, Fields: map[string]any{"x": []any{secret}}}
	got, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: c})
	if err != nil || len(got.Redacted) == 0 {
		t.Fatalf("%+v %v", got, err)
	}
	out := w.Git("r", "cat-file", "--batch-all-objects", "--batch")
	if strings.Contains(out, secret) || strings.Contains(w.Git("r", "reflog", "refs/sage/heads/main"), secret) {
		t.Error("the secret is in the repository")
	}
}
