//go:build unix

package faults_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A read is a question that changes nothing.
type read struct {
	name string
	ask  func(s *gitstore.Store) (any, error)
}

// reads are all of them but those that say what is wrong, see [TestEveryLookCannotRead].
var reads = []read{
	{"status", func(s *gitstore.Store) (any, error) { return s.Status(ctx) }},
	{"log", func(s *gitstore.Store) (any, error) { return s.Commits.Log(ctx, gitstore.Query{Max: 2, Skip: 1}) }},
	{"log of all", func(s *gitstore.Store) (any, error) {
		return s.Commits.Log(ctx, gitstore.Query{All: true, Reverse: true})
	}},
	{"log of a line", func(s *gitstore.Store) (any, error) {
		return s.Commits.Log(ctx, gitstore.Query{Line: "main", MaxCount: 2})
	}},
	{"log of a range", func(s *gitstore.Store) (any, error) {
		return s.Commits.Log(ctx, gitstore.Query{Revs: []string{"@~2..@"}})
	}},
	{"log of two sides", func(s *gitstore.Store) (any, error) {
		return s.Commits.Log(ctx, gitstore.Query{Revs: []string{"@...ground", "^ground"}, Removed: true})
	}},
	{"log of a file", func(s *gitstore.Store) (any, error) {
		return s.Commits.Log(ctx, gitstore.Query{Paths: []string{"a.txt"}})
	}},
	{"log of what is young", func(s *gitstore.Store) (any, error) {
		return s.Commits.Log(ctx, gitstore.Query{Limits: func() (time.Duration, int) { return time.Hour, 1 }})
	}},
	{"lines", func(s *gitstore.Store) (any, error) { return s.Lines.List(ctx) }},
	{"tags", func(s *gitstore.Store) (any, error) { return s.Lines.Tags(ctx) }},
	{"load", func(s *gitstore.Store) (any, error) { return s.Commits.Load(ctx, "@") }},
	{"load what was", func(s *gitstore.Store) (any, error) { return s.Commits.Load(ctx, "main@{1}") }},
	{"record", func(s *gitstore.Store) (any, error) { return s.Commits.Record(ctx, "ground") }},
	{"a short id", func(s *gitstore.Store) (any, error) {
		id, err := s.Commits.Resolve(ctx, "ground")
		if err != nil {
			return nil, err
		}
		return s.Commits.Resolve(ctx, id[:9])
	}},
	{"what a session saw", func(s *gitstore.Store) (any, error) { return s.Commits.Seen(ctx) }},
	{"files", func(s *gitstore.Store) (any, error) { return s.Tree.Files(ctx, "knowledge") }},
	{"a file", func(s *gitstore.Store) (any, error) { return s.Tree.ReadFile(ctx, "core.yaml") }},
	{"what is hidden", func(s *gitstore.Store) (any, error) { return s.Commits.Hidden(ctx, 0, 1) }},
	{"what may be pruned", func(s *gitstore.Store) (any, error) { return s.Checkpoints.Prunable(ctx, 1, 0) }},
	{"plan of a purge", func(s *gitstore.Store) (any, error) { return s.Purge.Plan(ctx, gitstore.PurgeRequest{Match: "ours"}) }},
}

// answer asks in a store of its own, with nothing derived at hand.
func (c *scene) answer(r read) (got any, err error) {
	c.t.Helper()
	if err := os.RemoveAll(c.w.Path("r/.git/sage/cache")); err != nil {
		c.t.Fatal(err)
	}
	err = c.in(func(s *gitstore.Store) error { got, err = r.ask(s); return err })
	return got, err
}

// A read tells all, or says in a line that it cannot: never a part that looks like
// all of it, whatever file or call of git fails.
func TestEveryReadIsWholeOrFails(t *testing.T) {
	inMemory(t)
	c := &scene{t: t, w: storetest.New(t), act: act{name: "reads", session: "idler"}}
	c.w.Repo("r")
	apart(t, c.w)
	s := open(t, c.w)
	if _, err := s.Lines.Tag(ctx, "ground", "@~3", false); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(c.w.Path("ready"), os.DirFS(c.w.Path("r"))); err != nil {
		t.Fatal(err)
	}
	g := c.w.FaultyGit()
	points := 0
	for _, r := range reads {
		want, err := c.answer(r)
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		judge := func(what string, got any, err error) {
			t.Helper()
			points++
			d := ""
			if err == nil {
				d = diff.Diff(want, got, unproved(what)...)
			}
			switch {
			case err != nil && strings.Contains(err.Error(), "\n"):
				t.Errorf("%s, %s: no line: %q", r.name, what, err)
			case d != "":
				t.Errorf("%s, %s: said nothing (-want +got): %s", r.name, what, d)
			}
		}
		c.do = func(s *gitstore.Store) error { _, err := r.ask(s); return err }
		for i, p := range c.points(reading) {
			if !thorough && i%2 == 1 {
				continue
			}
			g.Heal() // it counts its calls one by one
			_, restore := c.strike(reading, p)
			got, err := c.answer(r)
			restore()
			judge(fmt.Sprintf("%s (%d)", p.what, p.n), got, err)
		}
		g.Heal()
		_, _ = c.answer(r)
		subs := g.Calls()
		for i, sub := range subs {
			if !thorough && slices.Contains(subs[:i], sub) { // one of each
				continue
			}
			k := i + 1
			g.Call(k, storetest.Fail)
			got, err := c.answer(r)
			calls := g.Calls()
			g.Heal()
			if len(calls) < k { // they are not always as many
				continue
			}
			judge(fmt.Sprintf("call %d of git (%s)", k, calls[k-1]), got, err)
		}
	}
	t.Logf("%d reads", points)
}

// ledgers are the files that prove what is one's own.
var ledgers = regexp.MustCompile(`/sage/(own|vouched|versions) |/trust/`)

// unproved leaves out whose a checkpoint is, where that cannot be read: nothing is proved
// then, and it counts as from elsewhere.
func unproved(what string) (options []diff.Option) {
	if ledgers.MatchString(what) {
		options = append(options, diff.FilterPath(func(p diff.Path) bool { return p.Last().String() == ".Own" }, diff.Ignore()))
	}
	return options
}
