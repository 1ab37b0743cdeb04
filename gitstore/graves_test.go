package gitstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// One checkpoint is removed and comes back, again and again: no round asks git more often
// than the first ones.
func TestRemoveAndRestoreOverAndOver(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", ticking)
	one := save(t, s, "one")
	save(t, s, "two")
	g := w.FaultyGit()
	s = open(t, w, "r", ticking)
	calls := func(do func(context.Context, []string) ([]gitstore.Record, error), want int) int {
		t.Helper()
		g.Heal()
		if _, err := do(ctx, []string{one.ID}); err != nil {
			t.Fatal(err)
		}
		if got := subjects(t, s, gitstore.Query{}); len(got) != want {
			t.Fatalf("%q", got)
		}
		return len(g.Calls())
	}
	most := 0
	for round := range 12 {
		n := calls(s.Checkpoints.Remove, 1) + calls(s.Checkpoints.RestoreRemoved, 2)
		if round < 3 {
			most = max(most, n)
		} else if n > most+2 { // packing in between
			t.Errorf("round %d: %d gits, and %d in the first ones", round, n, most)
		}
	}
}

// What the cache was told step by step, and what is read anew, is what every tombstone says:
// some removes it, and all that restore it are ancestors of that one.
func TestTombstonesInEveryShape(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			w := storetest.New(t)
			w.Repo("r")
			s := open(t, w, "r")
			saved := []string{save(t, s, "one").ID, save(t, s, "two").ID}
			for _, list := range []string{"own", "begun"} { // of what is somebody's own only their tombstones count
				_ = os.Remove(w.Path("r/.git/sage/" + list))
			}
			tips := []string{saved[1]}
			above := map[string][]string{} // all ancestors of a commit
			says := map[string][2]string{}
			tree := strings.TrimSpace(w.Git("r", "rev-parse", saved[0]+"^{tree}"))
			for step := range 24 {
				from := []string{tips[r.IntN(len(tips))]}
				if other := tips[r.IntN(len(tips))]; other != from[0] && r.IntN(3) == 0 {
					from = append(from, other)
				}
				verb, what := []string{"Removes", "Restores"}[r.IntN(2)], saved[r.IntN(2)]
				args := []string{"commit-tree", tree, "-m", fmt.Sprint(verb, step), "-m", "Sage-Format: 1\nSage-Kind: tombstone\nSage-" + verb + ": " + what}
				for _, p := range from {
					args = append(args, "-p", p)
				}
				id := strings.TrimSpace(w.Git("r", args...))
				says[id] = [2]string{verb, what}
				for _, p := range from {
					above[id] = append(append(above[id], p), above[p]...)
				}
				i := slices.Index(tips, from[0])
				if line := r.IntN(4); line < len(tips) || len(tips) > 3 {
					tips[i] = id
				} else {
					tips, i = append(tips, id), len(tips)
				}
				w.Git("r", "update-ref", fmt.Sprint("refs/sage/heads/line", i), id)
				if step%3 > 0 {
					continue
				}
				want := map[string]bool{}
				for id, say := range says {
					if say[0] != "Removes" {
						continue
					}
					last := true
					for other, o := range says {
						last = last && (o != [2]string{"Restores", say[1]} || slices.Contains(above[id], other))
					}
					want[say[1]] = want[say[1]] || last
				}
				for _, cache := range []string{"kept", "new"} {
					if cache == "new" && step%2 == 0 {
						_ = os.Remove(w.Path("r/.git/sage/cache/removed.json"))
					}
					got := subjects(t, open(t, w, "r"), gitstore.Query{All: true})
					for i, name := range []string{"one", "two"} {
						if slices.Contains(got, name) == want[saved[i]] {
							t.Fatalf("step %d, cache %s: %q, removed are %v", step, cache, got, want)
						}
					}
				}
			}
		})
	}
}

// A save on a fork lets git move the ref, and asks it nothing of the memory: neither whether the ref moved
// meanwhile, which its file says, nor what was removed, which the save before it left known.
func TestSaveOnAForkAsksNothing(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	a, b, c := open(t, w, "r", session("a")), open(t, w, "r", session("b")), open(t, w, "r", session("c"))
	for _, s := range []*gitstore.Store{a, b, c, c} {
		save(t, s, "on the line")
	}
	save(t, a, "a fork, which looks what was removed")
	g := w.FaultyGit()
	a, b = open(t, w, "r", session("a")), open(t, w, "r", session("b"))
	for _, s := range []*gitstore.Store{b, a, b} {
		g.Heal()
		if saved := save(t, s, "on a fork"); !strings.HasPrefix(saved.Ref, "refs/sage/forks/") || saved.Follows == "" {
			t.Errorf("%+v", saved)
		}
		ofTheUsers := func(sub string) bool { return sub == "config" || sub == "diff-index" } // settings, read once and kept; the work tree
		if calls := slices.DeleteFunc(g.Calls(), ofTheUsers); !slices.Equal(calls, []string{"update-ref"}) {
			t.Errorf("git was asked for %q", calls)
		}
	}
}
