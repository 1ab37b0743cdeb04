//go:build unix

package git_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// What a child answers wrongly is an error of that question, one line with git's own
// name for the trouble, and the next question is answered by a new child.
func TestBatchThatFails(t *testing.T) {
	w, g, r := runner(t)
	head := w.Git("r", "rev-parse", "HEAD")
	b := r.Batch()
	defer b.Close()
	answers := func() {
		t.Helper()
		if o, err := b.Get(head); err != nil || o.ID != head || o.Type != "commit" {
			t.Errorf("%+v %v", o, err)
		}
	}
	answers()
	for _, name := range []string{"nope", head + ":none", strings.Repeat("0", 40), "a\nb", "a\x00b", ""} {
		if _, err := b.Get(name); !errors.Is(err, git.ErrMissing) {
			t.Errorf("%q: %v", name, err)
		}
		answers()
	}
	for _, how := range []storetest.How{storetest.Fail, storetest.Die, storetest.Mute} {
		_ = b.Close()
		g.Command("cat-file", how)
		b.Start()
		g.Heal()
		answers() // of the next git, for this one ends
		_ = b.Close()
		g.Command("cat-file", how)
		_, err := b.Get(head)
		each := 0
		all := b.Each([]string{head, head}, func(string, git.Object, error) { each++ })
		if err == nil || errors.Is(err, git.ErrMissing) || errors.Is(err, syscall.EPIPE) || strings.Contains(err.Error(), "\n") || all == nil || each != 1 {
			t.Errorf("%s: %v; of all: %v, %d times", how, err, all, each)
		}
		g.Heal()
		answers()
	}
}

// Each tells of what is missing and goes on, and asks nothing about nothing.
func TestBatchEach(t *testing.T) {
	w, _, r := runner(t)
	head := w.Git("r", "rev-parse", "HEAD")
	b := r.Batch()
	defer b.Close()
	said := ""
	if err := b.Each([]string{head, "nope", head + "^{tree}"}, func(name string, o git.Object, err error) {
		said += fmt.Sprintln(name == "nope", o.Type, errors.Is(err, git.ErrMissing))
	}); err != nil || said != "false commit false\ntrue  true\nfalse tree false\n" {
		t.Errorf("%q %v", said, err)
	}
	if err := b.Each(nil, func(string, git.Object, error) { t.Error("called") }); err != nil {
		t.Error(err)
	}
}

// Without a git, and for an object that is too large to be held, there is an error
// that says so.
func TestBatchRefuses(t *testing.T) {
	w, _, r := runner(t)
	file := w.Path("r/large")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, git.MaxObject+1); err != nil {
		t.Fatal(err)
	}
	id := w.Git("r", "-c", "core.compression=1", "hash-object", "-w", "large")
	b := r.Batch()
	defer b.Close()
	if _, err := b.Get(id); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("large: %v", err)
	}
	if _, err := b.Get(w.Git("r", "rev-parse", "HEAD")); err != nil {
		t.Errorf("after it: %v", err)
	}
	none, err := git.New(filepath.Join(w.Dir, "r"), w.Env, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(w.Path("r")); err != nil {
		t.Fatal(err)
	}
	c := none.Batch()
	if _, err := c.Get(id); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("no folder: %v", err)
	}
	if err := c.Each([]string{id}, func(string, git.Object, error) { t.Error("called") }); err == nil {
		t.Error("no folder: it answers")
	}
}
