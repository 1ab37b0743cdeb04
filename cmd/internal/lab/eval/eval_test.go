package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
)

func rankedKeys(keys ...string) (out []rank.Scored) {
	for _, k := range keys {
		out = append(out, rank.Scored{Hit: &index.Hit{Meta: &index.Meta{Key: k}}})
	}
	return out
}

func TestOutcome(t *testing.T) {
	o := outcomeOf(query{Gold: []string{"b"}, Stale: []string{"a"}}, rankedKeys("a", "b", "c"))
	if math.Abs(o.ndcg-1/math.Log2(3)) > 1e-9 || o.mrr != .5 || o.r5 != 1 || o.newest != 0 {
		t.Errorf("%+v", o)
	}
	o = outcomeOf(query{Gold: []string{"b", "x"}}, rankedKeys("b"))
	if o.ndcg >= 1 || o.ndcg < .6 || o.r10 != .5 || o.mrr != 1 || !math.IsNaN(o.newest) {
		t.Errorf("%+v", o)
	}
	if o = outcomeOf(query{Gold: []string{"x"}}, rankedKeys("a")); o.ndcg != 0 || o.mrr != 0 {
		t.Errorf("%+v", o)
	}
}

func TestMacroWeighsKindsAlike(t *testing.T) {
	list := []outcome{{kind: "a", ndcg: 1}, {kind: "b"}, {kind: "b"}, {kind: "b"}}
	mean, lo, hi := macro(list, func(o outcome) float64 { return o.ndcg })
	if mean != .5 || lo > mean || hi < mean {
		t.Errorf("%.3f [%.3f %.3f]", mean, lo, hi)
	}
	if mean, _, _ = macro(nil, func(o outcome) float64 { return o.ndcg }); !math.IsNaN(mean) {
		t.Error("a mean of nothing")
	}
}

func TestAnswerTakesTheFirstThreeThatReachTheThreshold(t *testing.T) {
	a := make(answer, 5)
	for i, score := range []float64{.8, .3, .7, .6, .9} {
		a[i].score, a[i].right = score, i == 4
	}
	for threshold, want := range map[float64]bool{.2: false, .65: true, .85: true, .95: false} {
		if a.gets(threshold) != want {
			t.Errorf("at %.2f: %v", threshold, !want)
		}
	}
	if a.best() != .9 {
		t.Errorf("best %.2f", a.best())
	}
}

func TestFindSets(t *testing.T) {
	dir := t.TempDir()
	if _, err := findSets(dir); err == nil || !strings.Contains(err.Error(), "DATA=<folder>") {
		t.Errorf("without sets: %v", err)
	}
	store := filepath.Join(dir, "set", "store")
	if err := os.MkdirAll(store, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"docs.jsonl":    `{"id":"a","text":"Ann: hello","time":"1:56 pm on 8 May, 2023"}` + "\n" + `{"id":"b","text":"Bo: Ann, hi","time":3}` + "\n\n",
		"queries.jsonl": `{"id":"1","text":"whom does Bo greet","gold":["b"],"kind":"x"}` + "\n" + `{"id":"2","text":"nothing","gold":[],"kind":"adversarial"}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(store, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sets, err := findSets(dir)
	if err != nil || len(sets) != 1 || len(sets[0].stores) != 1 {
		t.Fatalf("%+v %v", sets, err)
	}
	s := sets[0].stores[0]
	if len(s.docs) != 2 || len(s.queries) != 1 || s.isCode() || !s.docs[0].when().After(s.docs[1].when()) {
		t.Errorf("%+v", s)
	}
	if got := anonymous(s, speakers(s)); got.docs[1].Text != "the user: the user, hi" || got.queries[0].Text != "whom does the user greet" {
		t.Errorf("%+v", got)
	}
	if got := sample(s, 1); len(got.docs) != 1 {
		t.Errorf("a sample of 1 has %d", len(got.docs))
	}
}

func TestPairsMayBeTextsOrStatements(t *testing.T) {
	c, err := checkpointOf([]byte(`"a thesis"`))
	if err != nil || c.Thesis != "a thesis" {
		t.Errorf("%+v %v", c, err)
	}
	c, err = checkpointOf([]byte(`{"thesis":"t","confidence":0.5,"sources":["s"],"evidence":["e"]}`))
	if err != nil || c.Thesis != "t" || *c.Confidence != .5 || c.Sources[0].Identifier != "s" || c.KeyEvidence[0] != "e" {
		t.Errorf("%+v %v", c, err)
	}
	if _, err = checkpointOf([]byte(`7`)); err == nil {
		t.Error("a number is no statement")
	}
}

func TestVectorsAreKeptBetweenRuns(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("LocalAppData", t.TempDir())
	m, err := openModels()
	if err != nil {
		t.Skip(err) // built without the models
	}
	first, err := m.prose.texts(context.Background(), []string{"one", "two", "one"})
	if err != nil || m.save() != nil {
		t.Fatal(err)
	}
	if m, err = openModels(); err != nil {
		t.Fatal(err)
	}
	if len(m.prose.known) != 2 {
		t.Errorf("%d vectors were kept", len(m.prose.known))
	}
	again, err := m.prose.texts(context.Background(), []string{"two", "one"})
	if err != nil || again[0][7] != first[1][7] || again[1][7] != first[2][7] || m.prose.fresh.Len() != 0 {
		t.Errorf("other vectors, or made anew: %v", err)
	}
}
