package gitstore_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestTwoSessions(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	a, b := open(t, w, "r", session("aaaaaaaa-1")), open(t, w, "r", session("bbbbbbbb-2"))
	person := open(t, w, "r")
	save(t, person, "start")
	a1, b1 := save(t, a, "a1"), save(t, b, "b1") // first saves continue the tip
	if a1.Forked || b1.Forked || b1.Parents[0] != a1.ID {
		t.Errorf("first saves: %+v %+v", a1, b1)
	}
	a2 := save(t, a, "a2") // b moved the line
	if !a2.Forked || a2.Ref != "refs/sage/forks/main/aaaaaaaa" || a2.Parents[0] != a1.ID {
		t.Errorf("fork: %+v", a2)
	}
	a3, b2 := save(t, a, "a3"), save(t, b, "b2")
	if a3.Parents[0] != a2.ID || a3.Forked || b2.Forked || b2.Parents[0] != b1.ID {
		t.Errorf("each goes on alone: %+v %+v", a3, b2)
	}
	st, err := person.Status(ctx)
	if err != nil || len(st.Forks) != 1 || st.Forks[0].Name != "main/aaaaaaaa" || st.Forks[0].Latest.Description != "a3" {
		t.Errorf("status %+v %v", st, err)
	}
	m, err := b.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: "main/aaaaaaaa"})
	if err != nil || !m.Unsettled || len(m.Folded) != 1 {
		t.Fatalf("merge %+v %v", m, err)
	}
	c, err := b.Commits.Load(ctx, m.ID)
	if err != nil || c.Thesis != sage.NeedsSynthesis || len(c.ComponentTheses) != 2 {
		t.Errorf("%+v %v", c, err)
	}
	settled, err := b.Checkpoints.Merge(ctx, gitstore.MergeRequest{Thesis: "ab"})
	if err != nil || settled.Unsettled || settled.Parents[0] != m.ID {
		t.Fatalf("settle %+v %v", settled, err)
	}
	a4 := save(t, a, "a4") // its fork is folded, and it has not seen the merge
	if !a4.Forked || a4.Parents[0] != a3.ID {
		t.Errorf("after the fold: %+v", a4)
	}
	w.Git("r", "fsck", "--full")
}

// A short save says nothing of evidence and question; a merge does not take
// that for a wish to drop them.
func TestMergeKeepsWhatIsUnsaid(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	full := sage.Checkpoint{CoreQuestion: "which?", Thesis: "a", KeyEvidence: []string{"e1", "e2"}}
	if _, err := s.Checkpoints.Save(ctx, gitstore.Draft{Checkpoint: full}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lines.Branch(ctx, "side", "@"); err != nil {
		t.Fatal(err)
	}
	save(t, s, "short")
	full.KeyEvidence = []string{"e2", "e3"}
	if _, err := s.Checkpoints.Save(ctx, gitstore.Draft{Line: "side", Checkpoint: full}); err != nil {
		t.Fatal(err)
	}
	m, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: "side", Thesis: "both"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Commits.Load(ctx, m.ID)
	if err != nil || c.CoreQuestion != "which?" || strings.Join(c.KeyEvidence, " ") != "e2 e3" {
		t.Errorf("%q %q %v", c.CoreQuestion, c.KeyEvidence, err)
	}
}

func TestMergeAbort(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	a, b := open(t, w, "r", session("aaaaaaaa-1")), open(t, w, "r", session("bbbbbbbb-2"))
	save(t, a, "base")
	save(t, b, "b1")
	a2 := save(t, a, "a2")
	before := w.Git("r", "rev-parse", "refs/sage/heads/main")
	person := open(t, w, "r")
	if _, err := person.Checkpoints.Merge(ctx, gitstore.MergeRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := person.Checkpoints.AbortMerge(ctx); err != nil {
		t.Fatal(err)
	}
	if now := w.Git("r", "rev-parse", "refs/sage/heads/main"); now != before {
		t.Errorf("line is at %s, was at %s", now, before)
	}
	lines, err := person.Lines.List(ctx)
	if err != nil || len(lines) != 2 || lines[1].Tip != a2.ID {
		t.Errorf("%+v %v", lines, err)
	}
}

func TestRestore(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one, two := save(t, s, "one"), save(t, s, "two")
	if _, err := s.Lines.Restore(ctx, one.ID); err != nil {
		t.Fatal(err)
	}
	st, err := s.Status(ctx)
	if err != nil || !st.Detached || st.Parent.ID != one.ID {
		t.Errorf("%+v %v", st, err)
	}
	three := save(t, s, "three")
	if !three.Forked || three.Parents[0] != one.ID {
		t.Errorf("%+v", three)
	}
	if four := save(t, s, "four"); four.Ref != three.Ref || four.Parents[0] != three.ID {
		t.Errorf("%+v", four)
	}
	if _, err := s.Lines.Restore(ctx, two.ID); err != nil {
		t.Fatal(err)
	}
	if five := save(t, s, "five"); five.Ref != "refs/sage/heads/main" || five.Parents[0] != two.ID {
		t.Errorf("%+v", five)
	}
}

// An actor is a session or a person, and what it saw last, by the model.
type actor struct {
	s    *gitstore.Store
	seen string // "" is the tip of its line
	line string
	home string // of a person: the line of the work tree
}

// Sessions and a person save, switch, restore and merge at random. Whatever the
// order, each thought's parent is what its author last saw, no save lands on
// another line than its author's, and nothing saved is lost.
func TestSessionsAtRandom(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := storetest.New(t)
		w.Repo("r")
		clock := func(o *gitstore.Options) { o.Now = storetest.Clock() }
		actors := []*actor{
			{s: open(t, w, "r", clock)},
			{s: open(t, w, "r", session("aaaaaaaa-1"), clock)},
			{s: open(t, w, "r", session("bbbbbbbb-2"), clock)},
		}
		first := save(t, actors[0].s, "start")
		for _, line := range []string{"x", "y"} {
			if _, err := actors[0].s.Lines.Branch(ctx, line, first.ID); err != nil {
				rt.Fatal(err)
			}
		}
		m := &model{w: w, lineOf: map[string]string{first.ID: "main"}, saved: []string{first.ID}}
		for _, a := range actors {
			a.line, a.home = "main", "main"
			if err := a.s.Session.Begin(ctx); err != nil {
				rt.Fatal(err)
			}
		}
		for n := range rapid.IntRange(5, 25).Draw(rt, "steps") {
			a := actors[rapid.IntRange(0, 2).Draw(rt, "actor")]
			switch rapid.SampledFrom([]string{"save", "save", "save", "switch", "restore", "merge"}).Draw(rt, "act") {
			case "save":
				m.save(rt, a, fmt.Sprintf("thought %d", n))
			case "switch":
				line := rapid.SampledFrom([]string{"main", "x", "y"}).Draw(rt, "line")
				if _, err := a.s.Lines.Switch(ctx, line, false, ""); err != nil {
					rt.Fatal(err)
				}
				a.line, a.home, a.seen = line, line, ""
			case "restore":
				id := rapid.SampledFrom(m.saved).Draw(rt, "id")
				if _, err := a.s.Lines.Restore(ctx, id); err != nil {
					rt.Fatal(err)
				}
				a.seen, a.line = id, a.s.Session.CurrentLine()
				if a.s == actors[0].s {
					st, _ := a.s.Status(ctx)
					a.line = st.Line
				}
			case "merge":
				m.merge(rt, a, actors[0].s == a.s)
			}
		}
		m.nothingLost(rt)
	})
}

type model struct {
	w      *storetest.World
	lineOf map[string]string
	saved  []string
}

func (m *model) save(rt *rapid.T, a *actor, text string) {
	tip := m.w.Git("r", "rev-parse", "refs/sage/heads/"+a.line)
	got, err := a.s.Checkpoints.Save(ctx, thesis(text))
	if err != nil {
		rt.Fatal(err)
	}
	want := a.seen
	if want == "" {
		want = tip
	}
	if got.Parents[0] != want {
		rt.Fatalf("%s continues %s, its author saw %s", text, got.Parents[0], want)
	}
	if got.Line != a.line {
		rt.Fatalf("%s is on line %s, its author on %s", text, got.Line, a.line)
	}
	if a.seen != "" || len(m.saved) > 0 && a != nil && a.isSession() {
		a.seen = got.ID
	}
	m.lineOf[got.ID] = got.Line
	m.saved = append(m.saved, got.ID)
}

func (a *actor) isSession() bool {
	st, err := a.s.Status(ctx)
	return err == nil && st.Session != ""
}

func (m *model) merge(rt *rapid.T, a *actor, person bool) {
	got, err := a.s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Thesis: ""})
	if err != nil {
		return // no fork to merge
	}
	if a.seen = got.ID; person && a.line == a.home {
		a.seen = ""
	}
	if !slices.Contains(m.saved, got.ID) {
		m.saved = append(m.saved, got.ID)
	}
}

func (m *model) nothingLost(rt *rapid.T) {
	on := map[string]bool{}
	for _, id := range splitLines(m.w.Git("r", "rev-list", "--glob=refs/sage/heads", "--glob=refs/sage/forks")) {
		on[id] = true
	}
	for _, id := range m.saved {
		if !on[id] {
			rt.Fatalf("%s is lost", id)
		}
	}
	m.w.Git("r", "fsck", "--full")
}

// A correction of what others were built on goes beside the line, and nobody moves with
// it; who goes to the fork by the name in the list continues it.
func TestCorrectionAside(t *testing.T) {
	for name, o := range map[string][]func(*gitstore.Options){"person": nil, "agent": {session("s-1")}} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			s := open(t, w, "r", o...)
			one := save(t, s, "one")
			two := save(t, s, "two")
			d := thesis("one, corrected")
			d.Parent, d.Aside = one.ID, true
			beside, err := s.Checkpoints.Save(ctx, d)
			if err != nil || !beside.Forked || !beside.Aside {
				t.Fatalf("%+v %v", beside, err)
			}
			if three := save(t, s, "three"); three.Follows != two.ID || three.Forked {
				t.Errorf("the session went with it: %+v", three)
			}
			fork := strings.TrimPrefix(beside.Ref, "refs/sage/forks/")
			l, err := s.Lines.Switch(ctx, fork, false, "")
			if err != nil || !l.Fork || !l.Current || l.Of != "main" {
				t.Fatalf("%+v %v", l, err)
			}
			lines, err := s.Lines.List(ctx)
			if err != nil || len(lines) != 2 || !lines[0].Current || !lines[1].Current {
				t.Errorf("%+v %v", lines, err)
			}
			if four := save(t, s, "four"); four.Ref != beside.Ref || four.Follows != beside.ID {
				t.Errorf("%+v", four)
			}
			if _, err := s.Lines.Switch(ctx, "main/nosuch", false, ""); !errors.Is(err, gitstore.ErrNotFound) {
				t.Error(err)
			}
			d.Parent = seen(t, s).ID // the tip: nothing is beside it
			if again, err := s.Checkpoints.Save(ctx, d); err != nil || again.Forked || again.Aside {
				t.Errorf("%+v %v", again, err)
			}
		})
	}
}

// seen is what the session stands at.
func seen(t testing.TB, s *gitstore.Store) *gitstore.Record {
	t.Helper()
	r, err := s.Commits.Seen(ctx)
	if err != nil || r == nil {
		t.Fatal(err)
	}
	return r
}
