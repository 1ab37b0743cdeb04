package gitstore_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

var ctx = context.Background()

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open opens the store of a folder of w, with changes to the options.
func open(t testing.TB, w *storetest.World, dir string, change ...func(*gitstore.Options)) *gitstore.Store {
	t.Helper()
	o := gitstore.Options{Dir: w.Path(dir), Home: w.Path("home/.sage"), Env: w.Env, Now: storetest.Clock()}
	for _, f := range change {
		f(&o)
	}
	s, err := gitstore.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func session(id string) func(*gitstore.Options) {
	return func(o *gitstore.Options) { o.Session, o.Agent = id, "tester" }
}

// person says that nobody but a person is at work.
func person(o *gitstore.Options) { o.Person = true }

func thesis(s string) gitstore.Draft {
	return gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: s}}
}

func save(t testing.TB, s *gitstore.Store, text string) gitstore.Saved {
	t.Helper()
	got, err := s.Checkpoints.Save(ctx, thesis(text))
	if err != nil {
		t.Fatalf("save %q: %v", text, err)
	}
	return got
}

// subjects are the descriptions of a list, newest first.
func subjects(t testing.TB, s *gitstore.Store, q gitstore.Query) []string {
	t.Helper()
	recs, err := s.Commits.Log(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, r := range recs {
		out = append(out, r.Description)
	}
	return out
}

func wantList(t testing.TB, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, " | ") != strings.Join(want, " | ") {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " | "), strings.Join(want, " | "))
	}
}

func TestSaveAndLoad(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	half := 0.5
	in := sage.Checkpoint{CoreQuestion: "which cache?", Thesis: "ARC beats LRU. It does.", Confidence: &half, KeyEvidence: []string{"traces", "# not a heading"}}
	got, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: in})
	if err != nil {
		t.Fatal(err)
	}
	if got.Line != "main" || got.Description != "ARC beats LRU." || got.Forked || len(got.Parents) != 0 {
		t.Errorf("saved %+v", got)
	}
	for _, rev := range []string{got.ID, got.ID[:8], "main", "@", "refs/sage/heads/main", strings.ToUpper(got.ID[:9])} {
		c, err := s.Commits.Load(ctx, rev)
		if err != nil {
			t.Fatalf("load %s: %v", rev, err)
		}
		if c.ID != got.ID || c.Thesis != in.Thesis || c.KeyEvidence[1] != in.KeyEvidence[1] || c.Code.Branch != "main" || c.Code.Commit != w.Git("r", "rev-parse", "HEAD") || c.Code.Dirty {
			t.Errorf("load %s: %+v", rev, c)
		}
	}
	w.Git("r", "fsck", "--full", "--strict")
	if out := w.Git("r", "log", "-1", "--format=%an <%ae> %s", "refs/sage/heads/main"); out != "Ann Author <ann@example.com> ARC beats LRU." {
		t.Errorf("git log: %s", out)
	}
	if out := w.Git("r", "reflog", "show", "--format=%gs", "refs/sage/heads/main"); out != "sage: checkpoint: ARC beats LRU." {
		t.Errorf("reflog: %q", out)
	}
}

func TestDirty(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Write("r/a.txt", "two and longer\n")
	s := open(t, w, "r")
	c, err := s.Commits.Load(ctx, save(t, s, "x").ID)
	if err != nil || !c.Code.Dirty {
		t.Errorf("dirty: %v %+v", err, c.Code)
	}
	patch, _ := w.TryGit("r", "-c", "alias.p=!git diff-tree -p --root HEAD | git patch-id --stable", "p")
	if want, _, _ := strings.Cut(patch, " "); c.Code.PatchID != want || c.Code.Tree != "" {
		t.Errorf("patch id %q, want %q; tree %q", c.Code.PatchID, want, c.Code.Tree)
	}
}

// Where the code stood may be given; its tree is not published either way.
func TestGivenCodeHasNoTree(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	head := w.Git("r", "rev-parse", "HEAD")
	saved, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: "x", Code: sage.CodeState{Commit: head, Tree: w.Git("r", "rev-parse", "HEAD^{tree}")}}})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := s.Commits.Load(ctx, saved.ID); err != nil || c.Code.Commit != head || c.Code.Tree != "" {
		t.Errorf("%+v %v", c.Code, err)
	}
}

func TestLogFilters(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	for _, d := range []sage.Checkpoint{
		{Thesis: "one", Skill: "privacy", FilesChanged: []string{"src/a.go"}},
		{Thesis: "two", Project: "p", Trigger: sage.Synthesis},
		{Thesis: "three", Skill: "privacy", CodeRefs: []sage.CodeRef{{File: "src/b.go"}}},
	} {
		if _, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: d}); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		q    gitstore.Query
		want string
	}{
		"all":     {gitstore.Query{}, "three two one"},
		"max":     {gitstore.Query{Max: 1}, "three"},
		"skip":    {gitstore.Query{Max: 1, Skip: 1}, "two"},
		"skill":   {gitstore.Query{Skill: "privacy"}, "three one"},
		"project": {gitstore.Query{Project: "p"}, "two"},
		"trigger": {gitstore.Query{Trigger: sage.Synthesis}, "two"},
		"grep":    {gitstore.Query{Grep: "^TH", IgnoreCase: true}, "three"},
		"author":  {gitstore.Query{Author: "Nobody"}, ""},
		"paths":   {gitstore.Query{Paths: []string{"src/"}}, "three one"},
		"path":    {gitstore.Query{Paths: []string{"src/a.go"}}, "one"},
		"range":   {gitstore.Query{Revs: []string{"@~1..@"}}, "three"},
		"reverse": {gitstore.Query{Reverse: true}, "one two three"},
		"count":   {gitstore.Query{MaxCount: 2}, "three two"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(subjects(t, s, c.q), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestNotARepository(t *testing.T) {
	w := storetest.New(t)
	_, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Dir, Env: w.Env})
	if !errors.Is(err, gitstore.ErrNotRepository) {
		t.Errorf("got %v", err)
	}
}

func TestRemoveAndRestore(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	a, b := save(t, s, "a"), save(t, s, "b")
	if _, err := s.Checkpoints.Remove(ctx, []string{a.ID}); err != nil {
		t.Fatal(err)
	}
	wantList(t, subjects(t, s, gitstore.Query{}), "b")
	if _, err := s.Checkpoints.Remove(ctx, []string{a.ID}); !errors.Is(err, gitstore.ErrNothing) {
		t.Errorf("remove twice: %v", err)
	}
	if _, err := s.Checkpoints.RestoreRemoved(ctx, []string{a.ID[:8]}); err != nil {
		t.Fatal(err)
	}
	wantList(t, subjects(t, s, gitstore.Query{}), "b", "a")
	if _, err := s.Checkpoints.Remove(ctx, []string{b.ID}); err != nil {
		t.Fatal(err)
	}
	wantList(t, subjects(t, s, gitstore.Query{}), "a")
	if r, err := s.Commits.Seen(ctx); err != nil || r.ID != a.ID {
		t.Errorf("seen %v %v", r, err)
	}
	c := save(t, s, "c")
	wantList(t, subjects(t, s, gitstore.Query{All: true}), "c", "a")
	if c.Forked {
		t.Error("a tombstone made a fork")
	}
}

func TestKnowledgeTree(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	must(t, s.Tree.WriteFiles(ctx, "add two", map[string][]byte{"templates/a.yaml": []byte("a"), "lines/x.yaml": []byte("x")}))
	must(t, s.Tree.WriteFiles(ctx, "drop one", map[string][]byte{"templates/a.yaml": nil, "templates/b.yaml": []byte("b")}))
	files, err := s.Tree.Files(ctx, "templates")
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, files, "templates/b.yaml")
	if b, err := s.Tree.ReadFile(ctx, "lines/x.yaml"); err != nil || string(b) != "x" {
		t.Errorf("%s %v", b, err)
	}
	for _, bad := range []string{"../x", "a/../../x", ".git/config", "", "a//b", "a\nb"} {
		if err := s.Tree.WriteFiles(ctx, "bad", map[string][]byte{bad: []byte("x")}); !errors.Is(err, gitstore.ErrName) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	must(t, s.Tree.WriteFiles(ctx, "drop all", map[string][]byte{"templates/b.yaml": nil, "lines/x.yaml": nil}))
	if files, err := s.Tree.Files(ctx, "templates"); err != nil || len(files) > 0 {
		t.Errorf("%v %v", files, err)
	}
	must(t, s.Tree.WriteFiles(ctx, "begin anew", map[string][]byte{"templates/c.yaml": []byte("c")}))
	w.Git("r", "fsck", "--full", "--strict")
}

func splitLines(s string) []string { return strings.Fields(s) }

func TestSecretInBranchName(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	token := "ghp_" + strings.Repeat("a1B2c3D4e5F6", 3)
	w.Git("r", "checkout", "-q", "-b", token)
	s := open(t, w, "r")
	got := save(t, s, "first")
	if text := w.Git("r", "cat-file", "commit", got.ID) + w.Git("r", "show", got.ID+":checkpoint.md"); strings.Contains(text, token) {
		t.Errorf("the token was written:\n%s", text)
	}
	if len(got.Redacted) != 1 {
		t.Errorf("redacted: %v", got.Redacted)
	}
}
