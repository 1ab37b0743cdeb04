package embed

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestAhead(t *testing.T) {
	b := open(t, "all-MiniLM-L6-v2")
	texts := []string{"The build took two minutes.", "Alerts go to the channel of those on call.", ""}
	want, err := b.Documents(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, begun := range [][]string{nil, texts[:1], texts[1:], texts, {"something else", texts[1], texts[1]}} {
		a := b.Ahead(t.Context(), begun)
		got, err := a.Documents(t.Context(), texts)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("with %q begun the vectors differ", begun)
		}
		for _, text := range begun {
			if v := a.vecs[text]; v == nil || slices.Contains(texts, text) && &v[0] != &got[slices.Index(texts, text)][0] {
				t.Errorf("%q was begun and embedded again", text)
			}
		}
	}
}

func TestAheadEnds(t *testing.T) {
	b := open(t, "all-MiniLM-L6-v2")
	over, end := context.WithCancel(t.Context())
	end()
	a := b.Ahead(over, []string{"one"})
	if _, err := a.Documents(over, []string{"one"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if v, err := a.Documents(t.Context(), []string{"one"}); err != nil || len(v) != 1 {
		t.Errorf("what was begun in vain is not embedded: %v", err)
	}
}
