package gitstore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Each line is from the commit that git says; what was changed since is from none, and so is
// a file that git does not have.
func TestBlame(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Write("r/a file.go", "one\ntwo\nthree\nfour\n")
	w.Git("r", "add", ".")
	w.Git("r", "commit", "-q", "-m", "Begin")
	begin := w.Git("r", "rev-parse", "HEAD")
	w.Git("r", "mv", "a file.go", "b.go")
	w.Git("r", "commit", "-q", "-m", "Rename")
	rename := w.Git("r", "rev-parse", "HEAD")
	w.Write("r/b.go", "one\n2\nthree\nfour\n")
	w.Git("r", "commit", "-qam", "Change")
	change := w.Git("r", "rev-parse", "HEAD")
	w.Write("r/b.go", "zero\r\none\r\n2\r\nthree\r\n4\r\n")
	w.Write("r/new.go", "one\n")
	w.Write("r/empty.go", "")
	s := open(t, w, "r")
	spans := func(file string, first, last int) string {
		t.Helper()
		b, err := s.Repo.Blame(t.Context(), file, first, last)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, sp := range b.Spans {
			subject := "none"
			if sp.Commit != "" {
				subject = b.Commits[sp.Commit].Subject
			}
			out = append(out, fmt.Sprintf("%d-%d %s", sp.First, sp.Last, subject))
		}
		return strings.Join(out, ", ")
	}
	for _, c := range []struct {
		file        string
		first, last int
		want        string
	}{
		{"b.go", 0, 0, "1-1 none, 2-2 Begin, 3-3 Change, 4-4 Begin, 5-5 none"}, {"b.go", 2, 3, "2-2 Begin, 3-3 Change"},
		{"b.go", 5, 5, "5-5 none"}, {"new.go", 0, 0, "1-1 none"}, {"empty.go", 0, 0, ""},
	} {
		if got := spans(c.file, c.first, c.last); got != c.want {
			t.Errorf("%s %d-%d: %s, want %s", c.file, c.first, c.last, got, c.want)
		}
	}
	b, err := s.Repo.Blame(t.Context(), "b.go", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{b.Commits[begin].File, b.Commits[begin].Parent, b.Commits[change].File, b.Commits[change].Parent, b.Commits[change].Author, b.Text[2]}
	if d := cmp.Diff([]string{"a file.go", "", "b.go", rename, b.Commits[begin].Author, "2"}, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	for file, want := range map[string]string{"gone.go": "no file", "b.go": "has 5 lines, and no line 9", "../x.go": "no file", ".": "no file"} {
		if _, err := s.Repo.Blame(t.Context(), file, 9, 9); !errors.Is(err, gitstore.ErrNoLines) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Nobody's code is anywhere in a repository without a work tree.
func TestBlameOfBareRepository(t *testing.T) {
	w := storetest.New(t)
	w.Git("", "init", "-q", "--bare", "r")
	if _, err := open(t, w, "r").Repo.Blame(t.Context(), "a.go", 0, 0); !errors.Is(err, gitstore.ErrNoLines) {
		t.Errorf("%v", err)
	}
}
