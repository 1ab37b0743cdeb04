package converge_test

import (
	"testing"

	"pgregory.net/rapid"
)

// roundsOf plays rounds until all clones meet.
func roundsOf(t *rapid.T, w *world, most int, round func()) int {
	for n := range most + 1 {
		if w.met() {
			return n
		}
		round()
	}
	t.Fatalf("%d clones have not met after %d rounds", len(w.clones), most)
	return 0
}

func mustMerge(t *rapid.T, w *world, i int, from ...int) {
	if err := w.merge(i, from...); err != nil {
		t.Fatal(err)
	}
}

// history lets clones save and gossip at random.
func history(t *rapid.T, clones, steps int) *world {
	w := newWorld(rapid.IntRange(2, clones).Draw(t, "clones"))
	any := rapid.IntRange(0, len(w.clones)-1)
	w.save(0)
	for range rapid.IntRange(0, steps).Draw(t, "steps") {
		i, j := any.Draw(t, "clone"), any.Draw(t, "other")
		if i == j {
			w.save(i)
			continue
		}
		w.fetch(i, j)
		if rapid.Bool().Draw(t, "merge") {
			mustMerge(t, w, i, j)
		}
	}
	return w
}

func pairs(n int) (out [][2]int) {
	for i := range n {
		for j := range n {
			if i != j {
				out = append(out, [2]int{i, j})
			}
		}
	}
	return out
}

// Where everybody fetches from everybody once a round, in whatever order, and
// merges each time, four rounds are enough.
func TestMeetPairByPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := history(t, 12, 60)
		all := pairs(len(w.clones))
		roundsOf(t, w, 4, func() {
			for _, p := range rapid.Permutation(all).Draw(t, "order") {
				w.fetch(p[0], p[1])
				mustMerge(t, w, p[0], p[1])
			}
		})
	})
}

// Where fetching and merging are apart, as they are for people, one more.
func TestMeetFetchedLongAgo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := history(t, 8, 40)
		n := len(w.clones)
		roundsOf(t, w, 5, func() {
			for _, k := range rapid.Permutation(seq(n*n)).Draw(t, "order") {
				if i, j := k/n, k%n; i != j {
					w.fetch(i, j)
				} else {
					mustMerge(t, w, i, others(n, i)...)
				}
			}
			for i := range n {
				mustMerge(t, w, i, others(n, i)...)
			}
		})
	})
}

// Where all fetch before anybody merges, all join the same tips.
func TestMeetAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := history(t, 30, 100)
		n := len(w.clones)
		roundsOf(t, w, 3, func() {
			for _, p := range pairs(n) {
				w.fetch(p[0], p[1])
			}
			for i := range n {
				mustMerge(t, w, i, others(n, i)...)
			}
		})
	})
}

// In a ring each clone knows one other. All fetch, then all merge, which without
// ranks would never end.
func TestMeetInARing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(rapid.IntRange(2, 9).Draw(t, "clones"))
		n := len(w.clones)
		for i := range n {
			w.save(i)
		}
		together := rapid.Bool().Draw(t, "together")
		roundsOf(t, w, n*n, func() {
			for _, i := range rapid.Permutation(seq(n)).Draw(t, "order") {
				if w.fetch(i, (i+1)%n); !together {
					mustMerge(t, w, i, (i+1)%n)
				}
			}
			for i := 0; together && i < n; i++ {
				mustMerge(t, w, i, (i+1)%n)
			}
		})
	})
}

func seq(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

func others(n, i int) (out []int) {
	for j := range n {
		if j != i {
			out = append(out, j)
		}
	}
	return out
}
