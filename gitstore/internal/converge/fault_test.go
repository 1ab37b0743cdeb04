package converge_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/internal/converge"
)

var errFault = errors.New("cannot be read")

// A faulty graph fails at one question, counted from 1, or at all about a commit.
type faulty struct {
	*world
	at, asked int
	bad       string
	hit       bool
}

func (f *faulty) fails(ids ...string) bool {
	f.asked++
	if f.asked == f.at || slices.Contains(ids, f.bad) {
		f.hit = true
		return true
	}
	return false
}

func (f *faulty) Parents(id string) ([]string, bool, error) {
	if f.fails(id) {
		return nil, false, errFault
	}
	return f.world.Parents(id)
}

func (f *faulty) Independent(ids []string) ([]string, error) {
	if f.fails(ids...) {
		return nil, errFault
	}
	return f.world.Independent(ids)
}

// rings are refs whose tips came together in several ways: three thoughts, joined
// in another order by each clone, and joins of those.
func rings() (w *world, refs map[string]converge.Ref) {
	w = newWorld(0)
	a, b, c := w.add(false, "a", nil), w.add(false, "b", nil), w.add(false, "c", nil)
	left := w.add(true, "", []string{w.add(true, "", []string{a, b}), c})
	right := w.add(true, "", []string{a, w.add(true, "", []string{b, c})})
	both := w.add(true, "", []string{left, right})
	third := w.add(true, "", []string{b, w.add(true, "", []string{a, c})})
	on := w.add(false, "d", []string{w.add(false, "e", []string{a}), b})
	return w, map[string]converge.Ref{
		"a new thought":           {Local: left, Offered: []string{w.add(false, "d", []string{a})}, Remotes: 1},
		"joined elsewhere":        {Local: left, Made: true, Offered: []string{right}, Remotes: 2, Known: []string{right, third}},
		"joined by another":       {Local: left, Offered: []string{right}, Remotes: 1, Known: []string{right}},
		"of many joins":           {Local: both, Made: true, Offered: []string{third}, Remotes: 3, Known: []string{third, left}},
		"behind, and two go on":   {Local: a, Offered: []string{left, right}, Remotes: 2},
		"behind, and one is more": {Local: a, Offered: []string{both, third, left}, Remotes: 2},
		"with what it contains":   {Local: w.add(true, "", []string{a, on}), Made: true, Offered: []string{w.add(true, "", []string{b, on})}, Remotes: 2},
		"nothing yet":             {Offered: []string{left, right, third}, Remotes: 3},
		"only those that go on":   {Local: left, Offered: []string{both, third}, Remotes: 2, Known: []string{both, third}},
	}
}

// Whatever question to the history fails, a decision is an error or the one that is
// made without a fault: never another one because less was seen. A tip that is only
// known of counts as not there.
func TestDecideFailsOrIsRight(t *testing.T) {
	w, refs := rings()
	for name, ref := range refs {
		want, err := converge.Decide(w, ref)
		if err != nil || len(want.Tips) == 0 {
			t.Fatalf("%s: %+v %v", name, want, err)
		}
		failed := 0
		try := func(what string, f *faulty, also ...converge.Step) bool {
			got, err := converge.Decide(f, ref)
			if err != nil {
				failed++
			}
			if err != nil && !errors.Is(err, errFault) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
			if err == nil && !slices.ContainsFunc(append(also, want), func(s converge.Step) bool { return cmp.Equal(s, got) }) {
				t.Errorf("%s, %s: %+v, want %+v or one of %+v", name, what, got, want, also)
			}
			return f.hit
		}
		for bad := range w.parents {
			try(bad, &faulty{world: w, bad: bad}, withLess(t, w, ref)...)
		}
		for k := 1; try(fmt.Sprint("question ", k), &faulty{world: w, at: k}, withLess(t, w, ref)...); k++ {
		}
		if failed == 0 {
			t.Errorf("%s: nothing failed", name)
		}
	}
}

// withLess are the decisions where tips that are only known of are not there.
func withLess(t *testing.T, w *world, ref converge.Ref) (out []converge.Step) {
	t.Helper()
	for i := range 1 << len(ref.Known) {
		less := ref
		less.Known = nil
		for k, id := range ref.Known {
			if i>>k&1 == 1 {
				less.Known = append(less.Known, id)
			}
		}
		s, err := converge.Decide(w, less)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}
