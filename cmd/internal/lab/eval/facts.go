package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
)

// A fact is an item of testdata/facts, with the requests that want it.
type fact struct {
	ID       string   `json:"id"`
	Text     string   `json:"text"`
	Keywords []string `json:"keywords"`
	When     []string `json:"when"`
}

// A factPrompt is what somebody types, and which fact it needs, "" for none.
type factPrompt struct {
	Kind string `json:"kind"` // near, far or foreign
	Text string `json:"text"`
	Gold string `json:"gold"`
}

// A factSet is testdata/facts.
type factSet struct {
	facts   []fact
	prompts []factPrompt
}

func readFacts(dir string) (s factSet, err error) {
	if s.facts, err = readLines[fact](filepath.Join(dir, "facts.jsonl")); err != nil {
		return s, err
	}
	whens, err := readLines[fact](filepath.Join(dir, "whens.jsonl"))
	if err != nil {
		return s, err
	}
	for _, w := range whens {
		i := slices.IndexFunc(s.facts, func(f fact) bool { return f.ID == w.ID })
		if i < 0 {
			return s, fmt.Errorf("%s: no fact '%s'", dir, w.ID)
		}
		s.facts[i].When = w.When
	}
	s.prompts, err = readLines[factPrompt](filepath.Join(dir, "prompts.jsonl"))
	return s, err
}

// measureFacts puts prompts of developers to facts of theirs: asked outright, whether the
// right one is among three; else, whether it is given, and to how many that need none
// anything is.
func (m *models) measureFacts(ctx context.Context, dir string) error {
	s, err := readFacts(dir)
	if err != nil {
		return err
	}
	fmt.Printf("\nfacts of developers: asked outright, the right one among 3; unasked, given (foreign: anything)\n")
	fmt.Printf("%-20s %-16s %-18s %s\n", "model", "an item has", "near, far among 3", "near, far, foreign given")
	for _, model := range []*model{m.prose, m.code} {
		for _, has := range []struct {
			name                       string
			keywords, when, checkpoint bool
		}{
			{"its text", false, false, false}, {"keywords", true, false, false}, {"when", false, true, false}, {"both", true, true, false},
			{"in a checkpoint", false, false, true},
		} {
			row, err := s.row(ctx, model, has.keywords, has.when, has.checkpoint)
			if err != nil {
				return err
			}
			fmt.Printf("%-20s %-16s %s\n", model.Model().Name, has.name, row)
		}
	}
	return s.foreignBest(ctx, m.prose)
}

// foreignBest tells how much the best of some texts scores for a prompt that needs none of
// them, by how many there are: facts, with requests and without, and as checkpoints, each a
// thesis with two statements beside it.
func (s factSet) foreignBest(ctx context.Context, m *model) error {
	fmt.Printf("\nbest score of foreign prompts, the quantiles .50 .85 .95, by how many there are\n")
	for _, form := range []struct {
		name                       string
		keywords, when, checkpoint bool
	}{{"its text", false, false, false}, {"both", true, true, false}, {"checkpoints", false, false, true}} {
		for _, parts := range []int{1, 3, 6} {
			var best []float64
			for part := range parts {
				var docs []index.Doc
				for i := part; i < len(s.facts); i += parts {
					docs = append(docs, s.facts[i].doc(form.keywords, form.when))
				}
				if form.checkpoint {
					docs = asCheckpoints(docs)
				}
				got, err := s.bestOf(ctx, m, docs)
				if err != nil {
					return err
				}
				best = append(best, got...)
			}
			slices.Sort(best)
			at := func(q float64) float64 { return best[min(len(best)-1, int(q*float64(len(best))))] }
			fmt.Printf("%-12s %3d facts  %.2f %.2f %.2f\n", form.name, len(s.facts)/parts, at(.50), at(.85), at(.95))
		}
	}
	return nil
}

// asCheckpoints makes one of three facts each: a thesis, and two statements.
func asCheckpoints(docs []index.Doc) (out []index.Doc) {
	for three := range slices.Chunk(docs, 3) {
		d := three[0]
		d.Kind = "checkpoint"
		for _, more := range three[1:] {
			d.Apart = append(d.Apart, more.Body)
		}
		out = append(out, d)
	}
	return out
}

func (s factSet) bestOf(ctx context.Context, m *model, docs []index.Doc) (best []float64, err error) {
	sp, err := openSpace(ctx, m, nil)
	if err != nil {
		return nil, err
	}
	defer sp.close()
	if err := sp.put(ctx, docs); err != nil {
		return nil, err
	}
	for _, p := range s.prompts {
		if p.Gold != "" {
			continue
		}
		v, err := m.prompts(ctx, []string{p.Text})
		if err != nil {
			return nil, err
		}
		ranked, err := sp.ask(ctx, p.Text, v[0], mode{weights: rank.DefaultWeights})
		if err != nil {
			return nil, err
		}
		most := 0.0
		for _, r := range ranked {
			if most = max(most, r.Score); len(r.Triggers.Exact) > 0 {
				most = 1
			}
		}
		best = append(best, most)
	}
	return best, nil
}

// doc is a fact as recall has it in the sidecar.
func (f fact) doc(keywords, when bool) index.Doc {
	d := index.Doc{Meta: index.Meta{Key: f.ID, Kind: "knowledge", Type: "knowledge", Status: "active", Blob: f.ID, Tokens: 50}, Body: f.Text}
	if keywords {
		d.Keywords = f.Keywords
	}
	if when {
		d.Apart = slices.Clone(f.When)
	}
	return d
}

func (s factSet) row(ctx context.Context, m *model, keywords, when, checkpoint bool) (string, error) {
	sp, err := openSpace(ctx, m, nil)
	if err != nil {
		return "", err
	}
	defer sp.close()
	docs := s.docs(keywords, when)
	key := map[string]string{} // of what holds a fact
	for i, d := range docs {
		key[d.Key] = d.Key
		if checkpoint {
			key[d.Key] = docs[i/3*3].Key
		}
	}
	if checkpoint {
		docs = asCheckpoints(docs)
	}
	if err := sp.put(ctx, docs); err != nil {
		return "", err
	}
	n, among, given := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for _, p := range s.prompts {
		v, err := m.prompts(ctx, []string{p.Text})
		if err != nil {
			return "", err
		}
		ranked, err := sp.ask(ctx, p.Text, v[0], mode{weights: rank.DefaultWeights})
		if err != nil {
			return "", err
		}
		n[p.Kind]++
		if has(ranked[:min(3, len(ranked))], key[p.Gold]) {
			among[p.Kind]++
		}
		chosen := (&rank.Ranking{}).Choose(ranked)
		if has(chosen, key[p.Gold]) || p.Gold == "" && len(chosen) > 0 {
			given[p.Kind]++
		}
	}
	share := func(of map[string]float64, kind string) float64 { return of[kind] / n[kind] }
	return fmt.Sprintf("%.2f, %.2f         %.2f, %.2f, %.2f", share(among, "near"), share(among, "far"),
		share(given, "near"), share(given, "far"), share(given, "foreign")), nil
}

// docs are the facts as an index has them.
func (s factSet) docs(keywords, when bool) (docs []index.Doc) {
	for _, f := range s.facts {
		docs = append(docs, f.doc(keywords, when))
	}
	return docs
}

func has(list []rank.Scored, key string) bool {
	return slices.ContainsFunc(list, func(s rank.Scored) bool { return s.Meta.Key == key })
}
