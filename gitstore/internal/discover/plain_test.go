package discover

import (
	"context"
	"os"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// What is found without git is what git finds, and what is of another form is left to git.
func TestPlainIsWhatGitFinds(t *testing.T) {
	w := storetest.New(t)
	made := func(name string, init ...string) string {
		w.Repo(name, init...)
		return name
	}
	beside := func(dir, name string) string {
		w.Git(dir, "worktree", "add", "-q", "--detach", w.Path(name))
		return name
	}
	main := made("main")
	check(t, os.MkdirAll(w.Path("main", "a", "b"), 0o755))
	check(t, os.Symlink(w.Path(main), w.Path("link")))
	w.Git("", "clone", "-q", "--bare", main, "bare.git")
	w.Git("", "clone", "-q", "--separate-git-dir", w.Path("apart.git"), main, "elsewhere")
	extended := made("extended")
	w.Git(extended, "config", "extensions.worktreeConfig", "true")
	relative := beside(main, "relative")
	w.Write(relative+"/.git", "gitdir: ../main/.git/worktrees/relative\n")
	damaged := beside(made("damaged"), "damaged-beside")
	check(t, os.Remove(w.Path("damaged", ".git", "worktrees", damaged, "HEAD")))

	for name, c := range map[string]struct {
		dir    string
		global bool
		plain  bool
	}{
		"work tree":                     {dir: main, plain: true},
		"folder in it":                  {dir: "main/a/b", plain: true},
		"through a link":                {dir: "link", plain: true},
		"linked work tree":              {dir: beside(main, "beside"), plain: true},
		"linked by a path from here":    {dir: relative, plain: true},
		"linked work tree of a bare":    {dir: beside("bare.git", "beside-bare"), plain: true},
		"linked to one with extensions": {dir: beside(extended, "beside-extended")},
		"linked, and damaged":           {dir: damaged},
		"store of one's own":            {dir: "bare.git", global: true, plain: true},
		"bare":                          {dir: "bare.git"},
		"extensions":                    {dir: extended},
		"git directory elsewhere":       {dir: "elsewhere"},
		"sha256":                        {dir: made("sha256", "--object-format=sha256")},
	} {
		dir := w.Path(c.dir)
		run, err := git.New(dir, w.Env, c.global)
		check(t, err)
		got, ok := Plain(dir, c.global, run.Env())
		if ok != c.plain {
			t.Errorf("%s: plain is %t, not %t", name, ok, c.plain)
		}
		if !ok {
			continue
		}
		want, err := Ask(context.Background(), run.Bare())
		check(t, err)
		want.Code, want.Plain = got.Code, true
		if got != want {
			t.Errorf("%s:\n%+v, git finds\n%+v", name, got, want)
		}
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
