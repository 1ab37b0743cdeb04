package salience

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each with each is what the board has to come to, sooner.
func eachWithEach(list []finding, f finding) []finding {
	for i, old := range list {
		switch {
		case bare(old.text) == bare(f.text):
			if f.score > old.score {
				list[i].score, list[i].kind, list[i].settles, list[i].agreed, list[i].faint = f.score, f.kind, f.settles, f.agreed, f.faint
			}
			return list
		case len(old.text) > leastPart && strings.HasPrefix(f.text, old.text):
			f.score, f.settles, f.agreed, f.faint = max(f.score, old.score), f.settles || old.settles, f.agreed || old.agreed, f.faint && old.faint
			list[i] = f
			return list
		case replaces(f, old):
			return append(slices.Delete(list, i, i+1), f)
		}
	}
	return append(list, f)
}

// saying makes up sentences of few words, so that many repeat each other.
func saying(r *rand.Rand) string {
	words := strings.Fields("cache queue shard token replica vacuum budget retry stage pipeline")
	var s []string
	for range 2 + r.IntN(6) {
		s = append(s, words[r.IntN(len(words))])
	}
	if r.IntN(3) == 0 {
		s = append(s, fmt.Sprint(r.IntN(3)))
	}
	text := strings.Join(s, " ")
	switch r.IntN(4) {
	case 0:
		return "**" + text + "**"
	case 1:
		return text + ". And so it stays."
	}
	return text
}

func TestBoardIsEachWithEach(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b board
		var want []finding
		for stretch := range 40 {
			text := saying(r)
			f := finding{text: text, score: r.Float64(), person: r.IntN(4) == 0, stretch: stretch / 3, terms: termsOf(text), settles: r.IntN(2) == 0, agreed: r.IntN(5) == 0, faint: r.IntN(3) == 0}
			b.add(f)
			want = eachWithEach(want, f)
		}
		if diff := cmp.Diff(want, b.all(), cmp.AllowUnexported(finding{})); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestDistinctIsEachWithEach(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var d distinct
		var want []string
		for range 40 {
			s := saying(r)
			d.add(s)
			want = addNew(want, s)
		}
		if diff := cmp.Diff(want, d.texts); diff != "" {
			t.Fatal(diff)
		}
	}
}
