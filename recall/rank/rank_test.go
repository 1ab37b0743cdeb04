package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/recall/index"
)

// flat is a calibration with nothing in common to take off, of vectors of two numbers.
var flat = &Calibration{Model: "flat", Prompts: []float32{0, 0}, Texts: []float32{0, 0}, Pair: pairCosine}

// A testHit is a candidate at an angle to the question, with so much evidence.
type testHit struct {
	key    string
	cosine float64
	words  float64
	meta   index.Meta
}

// resultOf makes what a search returns.
func resultOf(hits ...testHit) *index.Result {
	r := &index.Result{Terms: slices.Repeat([]index.Term{{Text: "rare", Count: 1, IDF: 1}}, 40)}
	all := told(r, r.Terms[0]) * float64(len(r.Terms))
	full := (leastEvidence + shareEvidence*all) / all // of the words counts 1
	for _, h := range hits {
		m := h.meta
		m.Key = h.key
		if m.Type == "" {
			m.Type = "knowledge"
		}
		hit := index.Hit{Meta: &m, Keyword: h.words * full * float64(len(r.Terms)), Matched: make([]int, len(r.Terms))}
		if !math.IsNaN(h.cosine) {
			hit.Vector, hit.Cosine = true, h.cosine
			hit.Nearest = []float32{float32(h.cosine), float32(math.Sqrt(1 - h.cosine*h.cosine))}
			r.Vectors++
		}
		r.Hits = append(r.Hits, hit)
	}
	return r
}

var ask = Question{Text: "x", Vector: []float32{1, 0}}

func keys(list []Scored) string {
	var out []string
	for i := range list {
		out = append(out, list[i].Meta.Key)
	}
	return strings.Join(out, " ")
}

func TestRankWeighsBothLegs(t *testing.T) {
	r := Ranking{Calibration: flat}
	found := resultOf(testHit{key: "both", cosine: .6, words: .6}, testHit{key: "meaning", cosine: .7}, testHit{key: "words", cosine: .1, words: .95}, testHit{key: "none", cosine: .0})
	if got := keys(r.Rank(ask, found)); got != "both meaning words none" {
		t.Errorf("order: %s", got)
	}
	r.Weights = Weights{Words: 1}
	if got := keys(r.Rank(ask, found)); got != "words both meaning none" {
		t.Errorf("order by words alone: %s", got)
	}
	r = Ranking{} // no calibration: no model
	if got := r.Rank(ask, found)[0]; got.Meta.Key != "words" || got.Score < .75 {
		t.Errorf("without a model: %s %.2f, want words, far above the threshold", got.Meta.Key, got.Score)
	}
}

func TestWhatHasNoVectorYetIsScoredByWords(t *testing.T) {
	r := Ranking{Calibration: flat}
	found := resultOf(testHit{key: "new", cosine: math.NaN(), words: .9}, testHit{key: "old", cosine: .1, words: .1})
	got := r.Rank(ask, found)
	i := slices.IndexFunc(got, func(s Scored) bool { return s.Meta.Key == "new" })
	if s := got[i]; s.Score < DefaultThresholds["knowledge"] || s.Meaning != 0 {
		t.Errorf("score %.2f, meaning %.2f", s.Score, s.Meaning)
	}
}

// TestScoresAreAbsolute holds that a score does not depend on other candidates, lies
// in 0..1, and never falls when a leg rises.
func TestScoresAreAbsolute(t *testing.T) {
	r := Ranking{Calibration: flat}
	rapid.Check(t, func(t *rapid.T) {
		hit := func(label string) testHit {
			return testHit{key: label, cosine: rapid.Float64Range(-1, 1).Draw(t, label+" cosine"), words: rapid.Float64Range(0, 1).Draw(t, label+" words")}
		}
		a, b := hit("a"), hit("b")
		alone := r.Rank(ask, resultOf(a))[0].Score
		ranked := r.Rank(ask, resultOf(a, b))
		i := slices.IndexFunc(ranked, func(s Scored) bool { return s.Meta.Key == "a" })
		if ranked[i].Score != alone {
			t.Fatalf("%.3f alone, %.3f beside another", alone, ranked[i].Score)
		}
		if alone < 0 || alone > 1 {
			t.Fatalf("score %f", alone)
		}
		if b.cosine >= a.cosine && b.words >= a.words && ranked[1-i].Score < alone {
			t.Fatalf("%+v scores %.3f, %+v %.3f", a, alone, b, ranked[1-i].Score)
		}
	})
}

func TestCurvesRise(t *testing.T) {
	for _, c := range [][]point{bothCurve, wordCurve} {
		for i := 1; i < len(c); i++ {
			if c[i].raw <= c[i-1].raw || c[i].score <= c[i-1].score {
				t.Errorf("%v does not rise", c)
			}
		}
		if at(c, -1) != 0 || at(c, 0) != 0 || at(c, 1) != 1 || at(c, 2) != 1 {
			t.Errorf("%v does not go from 0 to 1", c)
		}
	}
}

func TestWhatIsReplacedStandsBelow(t *testing.T) {
	r := Ranking{Calibration: flat}
	for _, tt := range []struct {
		name string
		hits []testHit
		want string
	}{
		{"below the newer one", []testHit{{"old", .9, .9, index.Meta{ReplacedBy: []string{"new"}}}, {"else", .5, .5, index.Meta{}}, {"new", .3, .3, index.Meta{}}}, "new old else"},
		{"nobody is there", []testHit{{"old", .9, .9, index.Meta{ReplacedBy: []string{"gone"}}}, {"else", .5, .5, index.Meta{}}}, "old else"},
		{"a chain", []testHit{{"a", .9, .9, index.Meta{ReplacedBy: []string{"b"}}}, {"b", .8, .8, index.Meta{ReplacedBy: []string{"c"}}}, {"c", .1, .1, index.Meta{}}}, "c b a"},
		{"a circle", []testHit{{"a", .9, .9, index.Meta{ReplacedBy: []string{"b"}}}, {"b", .8, .8, index.Meta{ReplacedBy: []string{"a"}}}}, "b a"},
		{"itself", []testHit{{"a", .9, .9, index.Meta{ReplacedBy: []string{"a"}}}, {"b", .1, .8, index.Meta{}}}, "a b"},
	} {
		if got := keys(r.Rank(ask, resultOf(tt.hits...))); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	got := r.Rank(ask, resultOf(testHit{"old", .9, .9, index.Meta{ReplacedBy: []string{"new"}}}, testHit{"new", .3, .3, index.Meta{}}, testHit{"dead", .3, .2, index.Meta{Status: "deprecated"}}))
	if got[1].Outdated != "replaced by new" || got[2].Outdated != "deprecated" || got[0].Outdated != "" {
		t.Errorf("said: %q, %q, %q", got[0].Outdated, got[1].Outdated, got[2].Outdated)
	}
}

// Of texts that speak of the same thing the newest comes first, whatever was asked, and has
// the score of the best; one that speaks of something else, or has no time, keeps its place.
func TestTheNewestOfTheSameComesFirst(t *testing.T) {
	r := Ranking{Calibration: flat}
	day := func(n int) index.Meta { return index.Meta{Updated: time.Unix(0, 0).AddDate(0, 0, n)} }
	found := resultOf(testHit{"old", .9, .9, day(1)}, testHit{"new", .82, .75, day(3)}, testHit{"mid", .84, .78, day(2)}, testHit{"far", .2, .1, day(9)},
		testHit{"undated", .87, .8, index.Meta{}}, testHit{"other", .88, .85, day(8)})
	for i := range found.Hits {
		if found.Hits[i].Meta.Key == "other" { // on the other side of the question
			found.Hits[i].Nearest = []float32{.75, -.66}
		}
	}
	for text, want := range map[string]string{
		"what is the rule":          "new undated mid old other far",
		"what was the rule in 2019": "old undated mid new other far",
	} {
		got := r.Rank(Question{Text: text, Vector: ask.Vector}, found)
		if keys(got) != want {
			t.Errorf("%s: %s, want %s", text, keys(got), want)
		}
		if first := got[0]; (first.Fresh > 0) != (first.Meta.Key == "new") || first.Fresh > 0 && !strings.Contains(first.Sum(), " + newer 0.") {
			t.Errorf("%s: %s", text, first.Sum())
		}
	}
}

// TestRankKeepsEveryCandidate holds that ranking loses and doubles nothing, and gives
// the same order for the same input, whatever replaces what.
func TestRankKeepsEveryCandidate(t *testing.T) {
	r := Ranking{Calibration: flat}
	rapid.Check(t, func(t *rapid.T) {
		var hits []testHit
		for i := range rapid.IntRange(0, 8).Draw(t, "hits") {
			m := index.Meta{Updated: time.Unix(int64(rapid.IntRange(0, 3).Draw(t, "time")), 0)}
			for range rapid.IntRange(0, 2).Draw(t, "newer") {
				m.ReplacedBy = append(m.ReplacedBy, fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "by")))
			}
			hits = append(hits, testHit{fmt.Sprint(i), rapid.Float64Range(-1, 1).Draw(t, "cosine"), rapid.Float64Range(0, 1).Draw(t, "words"), m})
		}
		q := Question{Text: rapid.SampledFrom([]string{"x", "x in 2019"}).Draw(t, "text"), Vector: ask.Vector}
		got := r.Rank(q, resultOf(hits...))
		if keys(got) != keys(r.Rank(q, resultOf(hits...))) {
			t.Fatal("two orders")
		}
		sorted := strings.Fields(keys(got))
		slices.Sort(sorted)
		if len(sorted) != len(hits) || len(slices.Compact(sorted)) != len(hits) {
			t.Fatalf("%d of %d candidates: %s", len(got), len(hits), keys(got))
		}
	})
}
