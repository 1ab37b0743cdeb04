package gitstore_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A kind is a repository that git works in, and how to make one. It returns the
// folder to work in and the one that holds the history.
type kind struct {
	name string
	make func(w *storetest.World) (dir, repo string)
	env  func(w *storetest.World) []string
}

var kinds = []kind{
	{name: "plain", make: func(w *storetest.World) (string, string) { w.Repo("r"); return "r", "r" }},
	{name: "subdirectory", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Write("r/sub/deep/x", "")
		return "r/sub/deep", "r"
	}},
	{name: "odd path", make: func(w *storetest.World) (string, string) {
		w.Repo("r é 'q\" $(x);\n")
		return "r é 'q\" $(x);\n", "r é 'q\" $(x);\n"
	}},
	{name: "leading dash", make: at("-rf --exec=x")},
	{name: "a command", make: at("$(touch mark)`touch mark`;touch mark|touch mark&&touch mark")},
	{name: "not UTF-8", make: at("r\xff\xc3(")},
	{name: "percent and backslash", make: at(`%s%n\n\\`)},
	{name: "deep", make: func(w *storetest.World) (string, string) {
		deep := strings.Repeat("/"+strings.Repeat("d", 200), 16)[1:] // 3,400 bytes and more
		if os.MkdirAll(w.Path(deep), 0o777) != nil {
			return "", ""
		}
		w.Repo(deep)
		return deep, deep
	}},
	{name: "linked worktree", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Git("r", "worktree", "add", "-q", "../wt")
		return "wt", "r"
	}},
	{name: "submodule", make: func(w *storetest.World) (string, string) {
		w.Repo("lib")
		w.Repo("r")
		w.Git("r", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", w.Path("lib"), "lib")
		return "r/lib", "r/lib"
	}},
	{name: "bare", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Git("", "clone", "-q", "--bare", "r", "b.git")
		return "b.git", "b.git"
	}},
	{name: "inside .git", make: func(w *storetest.World) (string, string) { w.Repo("r"); return "r/.git", "r" }},
	{name: "GIT_DIR", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Write("elsewhere/x", "")
		return "elsewhere", "r"
	}, env: func(w *storetest.World) []string {
		return []string{"GIT_DIR=" + w.Path("r/.git"), "GIT_WORK_TREE=" + w.Path("r")}
	}},
	{name: "separate git dir", make: func(w *storetest.World) (string, string) {
		w.Git("", "init", "-q", "--separate-git-dir="+w.Path("store"), "r")
		w.Write("r/a", "x")
		w.Git("r", "add", "a")
		w.Git("r", "commit", "-q", "-m", "first")
		return "r", "r"
	}},
	{name: "symlinked .git", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		_ = os.Rename(w.Path("r/.git"), w.Path("store"))
		_ = os.Symlink(w.Path("store"), w.Path("r/.git"))
		return "r", "r"
	}},
	{name: "sparse checkout", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Write("r/d/x", "x")
		w.Git("r", "add", "d")
		w.Git("r", "commit", "-q", "-m", "d")
		w.Git("r", "sparse-checkout", "set", "d")
		return "r", "r"
	}},
	{name: "alternates", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Git("", "clone", "-q", "--shared", "r", "c")
		return "c", "c"
	}},
	{name: "shallow", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Git("r", "commit", "-q", "--allow-empty", "-m", "second")
		w.Git("", "clone", "-q", "--depth=1", "file://"+w.Path("r"), "c")
		return "c", "c"
	}},
	{name: "partial clone", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Git("r", "config", "uploadpack.allowFilter", "true")
		w.Git("", "clone", "-q", "--filter=blob:none", "file://"+w.Path("r"), "c")
		return "c", "c"
	}},
	{name: "sha256", make: func(w *storetest.World) (string, string) {
		w.Repo("r", "--object-format=sha256")
		return "r", "r"
	}},
	{name: "detached HEAD", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Git("r", "checkout", "-q", "--detach")
		return "r", "r"
	}},
	{name: "unborn HEAD", make: func(w *storetest.World) (string, string) { w.Git("", "init", "-q", "r"); return "r", "r" }},
	{name: "packed refs", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Git("r", "pack-refs", "--all")
		return "r", "r"
	}},
	{name: "shared repository", make: func(w *storetest.World) (string, string) {
		w.Repo("r", "--shared=group")
		return "r", "r"
	}},
	{name: "in a rebase", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		w.Git("r", "commit", "-q", "--allow-empty", "-m", "second")
		_, _ = w.TryGit("r", "-c", "sequence.editor=sed -i 1s/^/break\\\\n/", "rebase", "-i", "HEAD~1")
		return "r", "r"
	}},
	{name: "reftable", make: func(w *storetest.World) (string, string) {
		if _, err := w.TryGit("", "init", "-q", "--ref-format=reftable", "r"); err != nil {
			return "", ""
		}
		w.Repo("r", "--ref-format=reftable")
		return "r", "r"
	}},
	{name: "relative worktree", make: func(w *storetest.World) (string, string) {
		w.Repo("r")
		if _, err := w.TryGit("r", "worktree", "add", "-q", "--relative-paths", "../wt"); err != nil {
			return "", ""
		}
		return "wt", "r"
	}},
}

// at makes a repository in a folder of this name.
func at(name string) func(w *storetest.World) (dir, repo string) {
	return func(w *storetest.World) (string, string) {
		if os.Mkdir(w.Path(name), 0o777) != nil { // a name that this file system has not
			return "", ""
		}
		w.Git(name, "init", "-q")
		w.Write(name+"/a.txt", "one\n")
		w.Git(name, "add", "a.txt")
		w.Git(name, "commit", "-q", "-m", "first")
		return name, name
	}
}

// Wherever git works, saving, listing, loading and merging work: cases F88 and
// F89. A link to .git and a file in its place are among the kinds: case F77.
// Case C43.
func TestKinds(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			dir, repo := k.make(w)
			if dir == "" {
				t.Skip("the git at hand cannot make one")
			}
			if k.env != nil {
				w.Env = append(w.Env, k.env(w)...)
			}
			s := open(t, w, dir)
			exercise(t, w, s, repo)
			for _, mark := range []string{w.Path("mark"), w.Path(dir, "mark")} {
				if _, err := os.Lstat(mark); err == nil {
					t.Error("a name was taken for a command")
				}
			}
		})
	}
}

func exercise(t *testing.T, w *storetest.World, s *gitstore.Store, repo string) {
	t.Helper()
	save(t, s, "one")
	if _, err := s.Lines.Branch(ctx, "side", "main"); err != nil {
		t.Fatal(err)
	}
	save(t, s, "two")
	d := thesis("aside")
	d.Line = "side"
	if _, err := s.Checkpoints.Save(ctx, d); err != nil {
		t.Fatal(err)
	}
	m, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: "side", Thesis: "both"})
	if err != nil || m.Unsettled || len(m.Parents) != 2 {
		t.Fatalf("merge: %+v %v", m, err)
	}
	if got := subjects(t, s, gitstore.Query{}); len(got) != 4 || got[0] != "both" {
		t.Errorf("log: %q", got)
	}
	if c, err := s.Commits.Load(ctx, m.ID[:10]); err != nil || c.Thesis != "both" {
		t.Errorf("load: %+v %v", c, err)
	}
	found, err := s.Fsck.Findings(ctx)
	if err != nil || len(found) > 0 {
		t.Errorf("fsck: %v %v", found, err)
	}
	w.Git(repo, "fsck", "--full")
	w.Git(repo, "gc", "--quiet")
	if got := subjects(t, s, gitstore.Query{}); len(got) != 4 {
		t.Errorf("after gc: %q", got)
	}
}

// A hook of git's is called with the variables of the outer commit; what is
// saved there is not that commit's author's, and its index is not touched: cases
// F87 and C36.
func TestInsidePostCommitHook(t *testing.T) {
	w := storetest.New(t)
	repo := w.Repo("r")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w.Write("r/.git/hooks/post-commit", "#!/bin/sh\nSTORETEST_SAVES=1 STORETEST_NAME=hook exec "+exe+"\n")
	must(t, os.Chmod(filepath.Join(repo, ".git/hooks/post-commit"), 0o755))
	w.Git("r", "worktree", "add", "-q", "../wt")
	for _, dir := range []string{"r", "wt"} {
		w.Git(dir, "commit", "-q", "--allow-empty", "--author=Eve <eve@example.com>", "--date=@1 +0000", "-m", "outer")
	}
	s := open(t, w, "r")
	recs, err := s.Commits.Log(ctx, gitstore.Query{})
	if err != nil || len(recs) != 2 {
		t.Fatalf("%v %v", recs, err)
	}
	for _, r := range recs {
		if r.Email != "ann@example.com" || r.Time.Year() < 2026 {
			t.Errorf("author %s at %v", r.Email, r.Time)
		}
	}
}

// Case F86: the person is who git says, and nobody is no obstacle.
func TestIdentity(t *testing.T) {
	for name, c := range map[string]struct {
		config string
		want   string
	}{
		"user":        {"[user]\n name = A. B <x>\n email = a@b.c\n", "A. B x <a@b.c>"},
		"author wins": {"[user]\n name = U\n email = u@x\n[author]\n name = Au\n", "Au <u@x>"},
		"includeIf":   {"[user]\n name = U\n email = u@x\n[includeIf \"gitdir:r/\"]\n path = work\n", "U <corp@work>"},
		"nobody":      {"[user]\n useConfigOnly = true\n", "git-sage <sage@localhost>"},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			w.Write("home/work", "[user]\n email = corp@work\n")
			w.Write("home/.gitconfig", c.config)
			s := open(t, w, "r")
			got := save(t, s, "x")
			r, err := s.Commits.Record(ctx, got.ID)
			if err != nil || r.Author+" <"+r.Email+">" != c.want {
				t.Errorf("got %s <%s>, want %s (%v)", r.Author, r.Email, c.want, err)
			}
			if (name == "nobody") != (len(got.Warnings) == 1) {
				t.Errorf("warnings %q", got.Warnings)
			}
			if name == "nobody" {
				return
			}
			out := w.Git("r", "commit-tree", "-m", "x", "HEAD^{tree}")
			if by := w.Git("r", "log", "-1", "--format=%an <%ae>", out); by != c.want {
				t.Errorf("git says %s", by)
			}
		})
	}
}

// A bare repository in a work tree came with a clone; its config is a
// stranger's: case F75.
func TestEmbeddedBareRepositoryIsRefused(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("", "init", "-q", "--bare", "r/evil")
	_, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r/evil"), Env: w.Env})
	if err == nil || !strings.Contains(err.Error(), "refusing") {
		t.Errorf("got %v", err)
	}
}

// Case F76: git refuses a repository of another user, and so do we, in its words.
func TestForeignOwnerIsRefused(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Env = append(w.Env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	_, err := gitstore.Open(ctx, gitstore.Options{Dir: w.Path("r"), Env: w.Env})
	if err == nil || !strings.Contains(err.Error(), "dubious ownership") {
		t.Errorf("got %v", err)
	}
}

func TestGlobalStore(t *testing.T) {
	w := storetest.New(t)
	global := func(o *gitstore.Options) { o.Global = true }
	w.Write("nowhere/x", "")
	s := open(t, w, "nowhere", global)
	save(t, s, "mine")
	again := open(t, w, "nowhere", global)
	wantList(t, subjects(t, again, gitstore.Query{}), "mine")
	if c, err := again.Commits.Load(ctx, "@"); err != nil || c.Code.Commit != "" {
		t.Errorf("%+v %v", c.Code, err)
	}
}

func TestDisabled(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "config", "sage.enabled", "false")
	if _, err := open(t, w, "r").Checkpoints.Save(ctx, thesis("x")); !errors.Is(err, gitstore.ErrDisabled) {
		t.Errorf("got %v", err)
	}
}

// Checkpoints are signed where commits are, by the user's own program, and not
// by one that the repository names.
func TestSigning(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Fatal("ssh-keygen is needed")
	}
	w := storetest.New(t)
	w.Repo("r")
	key := w.Path("home/key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	pub, _ := os.ReadFile(key + ".pub")
	w.Write("home/allowed", "ann@example.com "+string(pub))
	for k, v := range map[string]string{"gpg.format": "ssh", "user.signingKey": key, "commit.gpgSign": "true", "gpg.ssh.allowedSignersFile": w.Path("home/allowed")} {
		w.Git("", "config", "--global", k, v)
	}
	s := open(t, w, "r")
	save(t, s, "signed")
	recs, err := s.Commits.Log(ctx, gitstore.Query{Signatures: true})
	if err != nil || recs[0].Signature != "G" {
		t.Errorf("%+v %v", recs, err)
	}
	w.Git("r", "config", "gpg.ssh.program", w.Path("evil"))
	evil := open(t, w, "r")
	if _, err := evil.Checkpoints.Save(ctx, thesis("x")); err == nil || !strings.Contains(err.Error(), "gpg.ssh.program") {
		t.Errorf("got %v", err)
	}
	d := thesis("unsigned")
	d.Automatic = true
	got, err := evil.Checkpoints.Save(ctx, d)
	if err != nil || len(got.Warnings) != 1 {
		t.Errorf("%+v %v", got, err)
	}
}
