//go:build unix

package faults_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// hurt is a repository with one of most things that fsck names: refs that are
// empty, gone and locked, texts that are gone and damaged, and torn files of ours.
func hurt(t *testing.T, w *storetest.World) {
	t.Helper()
	knowing(t, w)
	s := open(t, w, session("agent"))
	one, two := save(t, s, "one"), save(t, s, "two")
	save(t, s, "three")
	if _, err := s.Lines.Switch(ctx, "other", true, ""); err != nil {
		t.Fatal(err)
	}
	save(t, s, "elsewhere")
	w.Write("r/.git/refs/sage/heads/main", "")
	w.Git("r", "update-ref", "-d", "refs/sage/heads/other")
	for i, id := range []string{one.ID, two.ID} {
		blob := w.Git("r", "rev-parse", id+":checkpoint.md")
		file := w.Path("r/.git/objects", blob[:2], blob[2:])
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			w.Write("r/.git/objects/"+blob[:2]+"/"+blob[2:], "rubbish")
		}
	}
	w.Write("r/.git/sage/own", one.ID+"\nrubbish\n")
	w.Write("r/.git/sage/id", "rubbish\n")
	w.Write("r/.git/objects/info/commit-graph", "rubbish")
	w.Write("r/.git/refs/sage/heads/idea.lock", "")
	w.Write("r/.git/sage/.tmp-1", "torn")
	old := time.Now().Add(-48 * time.Hour)
	for _, f := range []string{"refs/sage/heads/idea.lock", "sage/.tmp-1"} {
		if err := os.Chtimes(w.Path("r/.git", f), old, old); err != nil {
			t.Fatal(err)
		}
	}
}

// reading are operations that fail without anything being changed.
var reading = trouble{name: "unreadable", err: syscall.EIO, hits: func(op fsx.Op) bool { return !op.Changes() }}

// files are all files of a folder but what is derived, by what tells that one was
// written.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err == nil && filepath.Base(filepath.Dir(path)) != "cache" {
			out[path] = fmt.Sprint(st.Size(), " ", st.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Whatever cannot be read while the store is looked at: it is said in lines, nothing
// is changed, and what is broken is not called whole because of it.
func TestEveryLookCannotRead(t *testing.T) {
	inMemory(t)
	var said []string
	for name, look := range map[string]func(*gitstore.Store) error{
		"fsck": func(s *gitstore.Store) error {
			r, err := s.Fsck.Check(ctx)
			for _, f := range r.Findings {
				said = append(said, f.String())
				if f.Subject == "" || f.Detail == "" {
					t.Errorf("says too little: %+v", f)
				}
			}
			return err
		},
		"doctor": func(s *gitstore.Store) error {
			for _, d := range s.Doctor.Diagnose(ctx) {
				if d.State != gitstore.StateOK {
					said = append(said, d.Name+": "+d.Detail)
				}
				if d.State == gitstore.StateError && d.Cure == nil && d.Name != "locks" {
					t.Errorf("no cure: %+v", d)
				}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &scene{t: t, w: storetest.New(t), act: act{name: name, do: look}}
			c.w.Repo("r")
			hurt(t, c.w)
			if err := os.CopyFS(c.w.Path("ready"), os.DirFS(c.w.Path("r"))); err != nil {
				t.Fatal(err)
			}
			points := c.points(reading)
			before := files(t, c.w.Path("r"))
			said = nil
			if err := c.try(); err != nil || len(said) == 0 {
				t.Fatalf("without any fault: %q %v", said, err)
			}
			for _, p := range points {
				said = nil
				_, restore := c.strike(reading, p)
				err := c.try()
				restore()
				c.judgeLook(fmt.Sprintf("%s (%d)", p.what, p.n), said, err)
			}
			if d := cmp.Diff(before, files(t, c.w.Path("r"))); d != "" {
				t.Errorf("a look changed files: %s", d)
			}
			t.Logf("%d operations failed", len(points)-1)
		})
	}
}

func (c *scene) judgeLook(what string, said []string, err error) {
	c.t.Helper()
	if err != nil {
		said = append(said, hint.Error(err))
	}
	if len(said) == 0 {
		c.t.Errorf("%s: said that all is well", what)
	}
	if i := slices.IndexFunc(said, func(l string) bool { return strings.ContainsAny(l, "\n\x00") }); i >= 0 {
		c.t.Errorf("%s: no line: %q", what, said[i])
	}
}

// A mending is something that a person does about what fsck found.
type mending struct {
	name  string
	ready func(t *testing.T, w *storetest.World)
	do    func(s *gitstore.Store) error
}

var mendings = []mending{
	{"repair", hurt, repairing},
	{"take back", func(t *testing.T, w *storetest.World) {
		hurt(t, w)
		if err := repairing(open(t, w)); err != nil {
			t.Fatal(err)
		}
	}, func(s *gitstore.Store) error { _, err := s.Fsck.UndoRepair(ctx); return err }},
	{"accept", func(t *testing.T, w *storetest.World) {
		readied(t, w)
		w.Git("r", "update-ref", "refs/sage/heads/main", "refs/sage/heads/main~1")
	}, func(s *gitstore.Store) error { _, err := s.Fsck.Accept(ctx, "main"); return err }},
}

func repairing(s *gitstore.Store) error {
	got, err := s.Fsck.Repair(ctx, gitstore.RepairRequest{})
	if err == nil && len(got.Not) > 0 {
		err = fmt.Errorf("not done: %s", strings.Join(hint.Notes(got.Not), "; "))
	}
	for _, f := range got.Left {
		if err == nil && !f.Warning && strings.HasPrefix(f.Subject, "refs/sage/") {
			err = fmt.Errorf("left: %s %s", f.Subject, f.Detail)
		}
	}
	return err
}

// sparse says at which of a mending's operations it fails: each takes three looks at
// everything.
func sparse() int {
	if thorough {
		return 3
	}
	return 9
}

// Whatever cannot be read, written or asked of git while something is mended: an
// error is a line, no checkpoint that was readable is lost by it, and done again
// without a fault it comes to the same.
func TestEveryMendingFails(t *testing.T) {
	inMemory(t)
	for _, m := range mendings {
		t.Run(strings.ReplaceAll(m.name, " ", "-"), func(t *testing.T) {
			c := &scene{t: t, w: storetest.New(t), act: act{name: m.name, do: m.do}}
			c.w.Repo("r")
			m.ready(t, c.w)
			if err := os.Rename(c.w.Path("r"), c.w.Path("ready")); err != nil {
				t.Fatal(err)
			}
			c.reset()
			if err := c.try(); err != nil {
				t.Fatal(err)
			}
			want := c.lines()
			for i, p := range c.points(troubles[0]) {
				if i%sparse() != 0 {
					continue
				}
				c.reset()
				hit, restore := c.strike(troubles[0], p)
				err := c.try()
				restore()
				c.mended(p.what, want, err, hit())
			}
			g := c.w.FaultyGit()
			for k := 1; ; k += sparse() {
				c.reset()
				g.Call(k, storetest.Fail)
				err := c.try()
				calls := g.Calls()
				g.Heal()
				if len(calls) < k {
					break
				}
				c.mended(fmt.Sprintf("call %d of git, %s", k, calls[k-1]), want, err, true)
			}
		})
	}
}

// lines are our refs but what repairs keep.
func (c *scene) lines() map[string]string {
	st := c.look().Sage
	for ref := range st {
		if strings.HasPrefix(ref, "refs/sage/repairs/") {
			delete(st, ref)
		}
	}
	return st
}

// mended holds a mending that may have failed to the rule.
func (c *scene) mended(what string, want map[string]string, err error, hit bool) {
	c.t.Helper()
	if err != nil && strings.Contains(err.Error(), "\n") {
		c.t.Errorf("%s: the error is no line: %q", what, err)
	}
	if !hit && err != nil {
		c.t.Errorf("%s: without a fault: %v", what, err)
	}
	if err != nil {
		// what failed may have been the last sync: then it is done, as the lines below show
		if again := c.try(); again != nil && !errors.Is(again, gitstore.ErrNothing) {
			c.t.Errorf("%s: said %q; and then, without a fault: %v", what, err, again)
		}
	}
	if d := cmp.Diff(want, c.lines()); d != "" {
		c.t.Errorf("%s: said %v, and done again (-want +now): %s", what, err, d)
	}
}
