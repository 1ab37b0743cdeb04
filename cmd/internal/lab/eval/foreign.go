package main

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/recall/rank"
)

// A part is some stores of a set that are reported apart.
type part struct {
	name   string
	stores []string // all if nil
}

func (p part) has(store string) bool { return p.stores == nil || slices.Contains(p.stores, store) }

var (
	tunedOn = []string{"conv-26", "conv-30", "conv-41", "conv-42", "conv-43", "conv-44"}
	apart   = []string{"conv-47", "conv-48", "conv-49", "conv-50"}
)

// parts are all of a set, and for LoCoMo what constants were tuned on and the rest.
func parts(s set) []part {
	if len(s.stores) == 10 && s.stores[0].name == "conv-26" {
		return []part{{"", nil}, {" 26-44", tunedOn}, {" 47-50", apart}}
	}
	return []part{{"", nil}}
}

// measureForeign puts the prompts of each conversation of LoCoMo knowledge to the
// store of the next one, where nothing should be recalled. The two speakers' names
// become "the user" in items and prompts, since they would give it away. Questions
// without an answer are left out.
func (m *models) measureForeign(ctx context.Context, sets []set) error {
	i := slices.IndexFunc(sets, func(s set) bool { return s.name == "locomo-knowledge" })
	j := slices.IndexFunc(sets, func(s set) bool { return s.name == "locomo" })
	if i < 0 || j < 0 {
		return nil
	}
	var stores []*store
	for k, s := range sets[i].stores {
		stores = append(stores, anonymous(s, speakers(sets[j].stores[k])))
	}
	fmt.Printf("\nfalse recall on LoCoMo knowledge without names: own prompts with a right item among the first 3, by threshold\n")
	fmt.Printf("%-18s %-7s %5s  %-35s %s\n", "", "row", "n", "where 5% of foreign prompts recall", "at 0.70: own, foreign; foreign to 20, 5 items   best foreign score of 1 in 2, 5, 20, 50")
	for _, p := range parts(sets[i]) {
		var list []*store
		for _, s := range stores {
			if p.has(s.name) {
				list = append(list, s)
			}
		}
		for _, mode := range modes(rank.DefaultWeights) {
			if err := m.foreignRow(ctx, p, list, mode); err != nil {
				return err
			}
		}
	}
	return nil
}

func speakers(s *store) []string {
	var out []string
	for _, d := range s.docs {
		if name, _, ok := strings.Cut(d.Text, ":"); ok && !slices.Contains(out, name) {
			out = append(out, regexp.QuoteMeta(name))
		}
	}
	return out
}

func anonymous(s *store, names []string) *store {
	re := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	out := &store{name: s.name}
	for _, d := range s.docs {
		d.Text = re.ReplaceAllString(d.Text, "the user")
		out.docs = append(out.docs, d)
	}
	for _, q := range s.queries {
		if q.Kind != "adversarial" {
			q.Text = re.ReplaceAllString(q.Text, "the user")
			out.queries = append(out.queries, q)
		}
	}
	return out
}

// An answer is what a prompt got: scores in their order, and which items are right.
type answer []struct {
	score float64
	right bool
}

// gets reports whether a right item is among the three that are recalled at a
// threshold: the first of those that reach it.
func (a answer) gets(t float64) bool {
	n := 0
	for _, x := range a {
		if x.score >= t {
			if x.right {
				return true
			}
			if n++; n == rank.DefaultMaxItems {
				return false
			}
		}
	}
	return false
}

// best is the highest score.
func (a answer) best() (out float64) {
	for _, x := range a {
		out = max(out, x.score)
	}
	return out
}

func (m *models) foreignRow(ctx context.Context, p part, stores []*store, mode mode) error {
	own, foreign, err := m.answers(ctx, stores, stores, mode)
	if err != nil {
		return err
	}
	few := [2][]answer{}
	for i, n := range []int{20, 5} {
		var small []*store
		for _, s := range stores {
			small = append(small, sample(s, n))
		}
		if _, few[i], err = m.answers(ctx, small, stores, mode); err != nil {
			return err
		}
	}
	t := math.Nextafter(quantile(foreign, .95), 2)
	got, lo, hi := right(own, t)
	now, _, _ := right(own, rank.DefaultThresholds["knowledge"])
	fmt.Printf("%-18s %-7s %5d  %.3f: %.3f [%.3f %.3f]", "prompts"+p.name, mode.name, len(own), t, got, lo, hi)
	if mode.name != "dense" { // nobody recalls by meaning alone: its scale is that of both
		fmt.Printf("         %.3f, %.3f; %.3f, %.3f", now, wrong(foreign), wrong(few[0]), wrong(few[1]))
		fmt.Printf("   %.3f %.3f %.3f %.3f", quantile(foreign, .5), quantile(foreign, .8), quantile(foreign, .95), quantile(foreign, .98))
	}
	fmt.Println()
	return nil
}

// answers are those of each prompt: by its own store, and by the next.
func (m *models) answers(ctx context.Context, stores, asking []*store, mode mode) (own, foreign []answer, err error) {
	for i, s := range stores {
		sp, err := openSpace(ctx, m.prose, s.docs)
		if err != nil {
			return nil, nil, err
		}
		mine, before := asking[i], asking[(i+len(asking)-1)%len(asking)]
		a, err := sp.each(ctx, mine.queries, mode)
		if err == nil {
			own = append(own, a...)
			a, err = sp.each(ctx, before.queries, mode)
			foreign = append(foreign, a...)
		}
		sp.close()
		if err != nil {
			return nil, nil, err
		}
	}
	return own, foreign, nil
}

func (s *space) each(ctx context.Context, queries []query, mode mode) ([]answer, error) {
	texts := make([]string, len(queries))
	for i, q := range queries {
		texts[i] = q.Text
	}
	vectors, err := s.m.prompts(ctx, texts)
	if err != nil {
		return nil, err
	}
	out := make([]answer, len(queries))
	for i, q := range queries {
		ranked, err := s.ask(ctx, q.Text, vectors[i], mode)
		if err != nil {
			return nil, err
		}
		out[i] = make(answer, len(ranked))
		for j := range ranked {
			out[i][j].score, out[i][j].right = ranked[j].Score, slices.Contains(q.Gold, ranked[j].Meta.Key)
		}
	}
	return out, nil
}

// sample is a store with n of its documents, evenly spread.
func sample(s *store, n int) *store {
	out := &store{name: s.name}
	for i := range n {
		out.docs = append(out.docs, s.docs[(2*i+1)*len(s.docs)/(2*n)])
	}
	return out
}

// right is the share of prompts that get a right item, with its interval.
func right(list []answer, t float64) (mean, lo, hi float64) {
	out := make([]outcome, len(list))
	for i, a := range list {
		if a.gets(t) {
			out[i].ndcg = 1
		}
	}
	return macro(out, func(o outcome) float64 { return o.ndcg })
}

// wrong is the share of prompts that recall anything at the default threshold.
func wrong(list []answer) float64 {
	n := 0
	for _, a := range list {
		if a.best() >= rank.DefaultThresholds["knowledge"] {
			n++
		}
	}
	return float64(n) / float64(len(list))
}

func quantile(list []answer, q float64) float64 {
	var s []float64
	for _, a := range list {
		s = append(s, a.best())
	}
	slices.Sort(s)
	return s[min(len(s)-1, int(q*float64(len(s))))]
}
