package main

import (
	"path/filepath"
	"testing"

	"github.com/git-sage/git-sage/hooks/trigger"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/weights"
)

// TestObliqueWords: what no sign says outright is found by what it means, on turns that
// nothing was fitted to.
func TestObliqueWords(t *testing.T) {
	b, err := embed.OpenBert(weights.Prose)
	if err != nil {
		t.Fatal(err)
	}
	if trigger.HeadModel() != b.Model().Name {
		t.Fatalf("the head is for %q, the model is %q: make eval TRIGGERS=fit", trigger.HeadModel(), b.Model().Name)
	}
	encode := func(texts []string) [][]float32 {
		list, err := b.Queries(t.Context(), texts)
		if err != nil {
			t.Error(err)
		}
		return list
	}
	for file, least := range map[string]float64{"held2.jsonl": 0.8, "held3.jsonl": 0.7} {
		alone, both := scored(t, file, nil), scored(t, file, encode)
		if both.precision() < 0.9 || both.recall() < least || both.recall() < alone.recall()+0.05 {
			t.Errorf("%s: signs alone %s, with the model %s", file, alone, both)
		}
	}
}

func (c count) precision() float64 { return float64(c.right) / float64(c.told) }
func (c count) recall() float64    { return float64(c.right) / float64(c.gold) }

func scored(t *testing.T, file string, encode trigger.Encode) (c count) {
	list, err := readLines[turn](filepath.Join("..", "..", "..", "..", "testdata", "trigger", file))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range list {
		got := x.read(encode).Kind(threshold)
		c.add(got != "", x.Kind != "", got == x.Kind)
	}
	return c
}
