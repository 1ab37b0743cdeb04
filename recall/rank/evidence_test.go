package rank

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/recall/index"
)

// shared is a hit with the first so many of the words of a prompt, in a store of so
// many texts, one of which has each word.
func shared(texts, words int, prompt ...string) (*index.Result, *index.Hit) {
	r := &index.Result{Units: texts}
	h := index.Hit{Meta: &index.Meta{Key: "k"}}
	for i, w := range prompt {
		r.Terms = append(r.Terms, index.Term{Text: w, Count: 1, Units: 1, IDF: 1})
		if i < words {
			h.Matched, h.Keyword = append(h.Matched, i), h.Keyword+1
		}
	}
	return r, &h
}

func evidenceOf(r *index.Result, h *index.Hit) float64 { return lexiconOf("", r).evidence(h) }

func TestEvidence(t *testing.T) {
	of := func(texts, words int, prompt ...string) float64 { return evidenceOf(shared(texts, words, prompt...)) }
	for _, tt := range []struct {
		name       string
		more, less float64
	}{
		{"a rare word tells more than a common one", of(100, 1, "kubernet"), of(100, 1, "peopl")},
		{"two tell more than one", of(100, 2, "kubernet", "ingress"), of(100, 1, "kubernet", "ingress")},
		{"one of many tells less", of(100, 1, "kubernet"), of(100, 1, "kubernet", "ingress", "certif", "rotat", "nightli")},
		{"a large store knows what is rare there", of(5000, 1, "peopl"), of(5, 1, "peopl")},
		{"two letters of a script without blanks are common", of(100, 1, "kubernet"), of(100, 1, "部署")},
	} {
		if tt.more <= tt.less || tt.less <= 0 || tt.more > 1 {
			t.Errorf("%s: %.3f and %.3f", tt.name, tt.more, tt.less)
		}
	}
	r, h := shared(100, 2, "kubernet", "ingress")
	h.Keyword /= 4 // in different parts of a long text
	if got, whole := evidenceOf(r, h), of(100, 2, "kubernet", "ingress"); got >= whole/3 {
		t.Errorf("words in different parts: %.3f, in one %.3f", got, whole)
	}
	if got := of(100, 0, "kubernet"); got != 0 {
		t.Errorf("no word: %.3f", got)
	}
	if got := of(0, 0); got != 0 {
		t.Errorf("no store, no prompt: %.3f", got)
	}
}

// A word that is shared never makes the score less, and what all texts have never
// makes it much.
func TestEvidenceRisesWithWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt := rapid.SliceOfN(rapid.SampledFrom([]string{"peopl", "new", "kubernet", "部署", "v1.2", "year", "zq"}), 1, 40).Draw(t, "prompt")
		texts := rapid.IntRange(1, 100000).Draw(t, "texts")
		before := 0.0
		for n := range len(prompt) + 1 {
			got := evidenceOf(shared(texts, n, prompt...))
			if got < before || got > 1 {
				t.Fatalf("%.3f with %d words, %.3f with one less", got, n, before)
			}
			before = got
		}
	})
}

func TestCommonWords(t *testing.T) {
	if n := len(commonRank()); n != 2000 {
		t.Errorf("%d words", n)
	}
	if a, b, c := usual("new"), usual("arena"), usual("kubernet"); a <= b || b <= c || a > 1 || c <= 0 {
		t.Errorf("new %.4f, arena %.4f, kubernet %.4f", a, b, c)
	}
}
