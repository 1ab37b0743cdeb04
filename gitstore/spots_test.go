package gitstore_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// logged are the ids that a list shows.
func logged(t *testing.T, s *gitstore.Store, q gitstore.Query) map[string]bool {
	t.Helper()
	recs, err := s.Commits.Log(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, r := range recs {
		ids[r.ID] = true
	}
	return ids
}

// checkSpots holds the spots of a store against its lists.
func checkSpots(t *testing.T, s *gitstore.Store, when string) {
	t.Helper()
	lines, err := s.Lines.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	queries := []gitstore.Query{{}, {Author: "^Ada"}, {Author: "nobody"}, {Since: "2020-01-01"}, {Until: "2020-01-01"}}
	for _, l := range lines {
		queries = append(queries, gitstore.Query{Line: l.Name})
	}
	here := logged(t, s, gitstore.Query{})
	for _, q := range queries {
		spots, err := s.Commits.Spots(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		q.All = true
		want, got := logged(t, s, q), map[string]bool{}
		for id, spot := range spots {
			got[id] = true
			if (spot.Line == "") != here[id] {
				t.Errorf("%s: %s is on %q", when, id, spot.Line)
			} else if spot.Line != "" && !logged(t, s, gitstore.Query{Line: spot.Line, All: true})[id] {
				t.Errorf("%s: %s is not on %s", when, id, spot.Line)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %+v: (-log +spots)\n%s", when, q, d)
		}
	}
	checkHidden(t, s, when)
}

func checkHidden(t *testing.T, s *gitstore.Store, when string) {
	t.Helper()
	for _, most := range []int{1, 3} {
		spots, err := s.Commits.Spots(ctx, gitstore.Query{MaxCount: most})
		if err != nil {
			t.Fatal(err)
		}
		some := slices.Collect(maps.Keys(spots))
		some = append(some[:len(some)/2], strings.Repeat("0", 40))
		told, err := s.Commits.Spots(ctx, gitstore.Query{MaxCount: most}, some...)
		if err != nil || len(told) != len(some)-1 {
			t.Errorf("%s: of %d checkpoints it tells where %d lie: %v", when, len(some)-1, len(told), err)
		}
		for id, spot := range told {
			if spot != spots[id] {
				t.Errorf("%s: asked for alone, %s is %+v, and else %+v", when, id, spot, spots[id])
			}
		}
		n := 0
		for _, spot := range spots {
			if spot.Hidden {
				n++
			}
		}
		if want, err := s.Commits.Hidden(ctx, 0, most); err != nil || n != want {
			t.Errorf("%s: %d are hidden beyond %d a line, want %d (%v)", when, n, most, want, err)
		}
	}
}

// Where checkpoints lie is what lists say, whether it was read from the file, continued
// or made anew.
func TestSpotsAreWhatListsSay(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		w := storetest.New(t)
		w.Repo("r")
		rnd := rand.New(rand.NewPCG(seed, 2))
		s := tangle(t, w, rnd, 25)
		checkSpots(t, s, "made")
		checkSpots(t, s, "read")
		if _, err := s.Checkpoints.Save(ctx, thesis("one more")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Lines.Switch(ctx, fmt.Sprint("late-", seed), true, "main"); err != nil {
			t.Fatal(err)
		}
		checkSpots(t, s, "continued")
		file := filepath.Join(s.Repo.GitDir(), "sage", "cache", "annals")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, damaged := range [][]byte{nil, b[:len(b)/2], slices.Concat(b[:40], []byte("x"), b[41:])} {
			must(t, os.WriteFile(file, damaged, 0o644))
			checkHidden(t, s, fmt.Sprintf("damaged, %d bytes", len(damaged)))
		}
	}
}

func TestSpotsOfNoLine(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	if spots, err := s.Commits.Spots(ctx, gitstore.Query{}); err != nil || len(spots) != 0 {
		t.Errorf("%v %v", spots, err)
	}
	if _, err := s.Commits.Spots(ctx, gitstore.Query{Line: "nosuch"}); err == nil {
		t.Error("a line that is not there is no error")
	}
	if _, err := s.Commits.Spots(ctx, gitstore.Query{Author: "("}); err == nil {
		t.Error("a pattern that is none is no error")
	}
}
