package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/git-sage/git-sage/recall/rank"
)

// An outcome is what one question came to.
type outcome struct {
	kind               string
	ndcg, r5, r10, mrr float64
	newest             float64 // 1 if the newest stands above all outdated ones; NaN if nothing is
}

func outcomeOf(q query, ranked []rank.Scored) outcome {
	o := outcome{kind: q.Kind, newest: math.NaN()}
	var ideal float64
	for i := range min(len(q.Gold), 10) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	first, firstStale := len(ranked), len(ranked)
	for i := range ranked {
		key := ranked[i].Meta.Key
		if slices.Contains(q.Stale, key) {
			firstStale = min(firstStale, i)
		}
		if !slices.Contains(q.Gold, key) {
			continue
		}
		first = min(first, i)
		if i < 10 {
			o.ndcg += 1 / math.Log2(float64(i+2)) / ideal
			o.r10 += 1 / float64(len(q.Gold))
		}
		if i < 5 {
			o.r5 += 1 / float64(len(q.Gold))
		}
	}
	if first < min(10, len(ranked)) {
		o.mrr = 1 / float64(first+1)
	}
	if len(q.Stale) > 0 {
		o.newest = 0
		if first < firstStale {
			o.newest = 1
		}
	}
	return o
}

// macro is the mean over the kinds of their means, with its 95% interval by
// bootstrap within the kinds. What is not a number does not count.
func macro(list []outcome, of func(outcome) float64) (mean, lo, hi float64) {
	kinds := map[string][]float64{}
	for _, o := range list {
		if x := of(o); !math.IsNaN(x) {
			kinds[o.kind] = append(kinds[o.kind], x)
		}
	}
	if len(kinds) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	names := make([]string, 0, len(kinds))
	for k := range kinds {
		names = append(names, k)
	}
	slices.Sort(names)
	r := rand.New(rand.NewPCG(1, 2))
	once := func(pick func(n, i int) int) (sum float64) {
		for _, k := range names {
			xs, part := kinds[k], 0.0
			for i := range xs {
				part += xs[pick(len(xs), i)]
			}
			sum += part / float64(len(xs)) / float64(len(names))
		}
		return sum
	}
	mean = once(func(_, i int) int { return i })
	runs := make([]float64, 1000)
	for i := range runs {
		runs[i] = once(func(n, _ int) int { return r.IntN(n) })
	}
	slices.Sort(runs)
	return mean, runs[25], runs[974]
}

// measureSets prints the table of all sets.
func (m *models) measureSets(ctx context.Context, sets []set) error {
	fmt.Printf("%-18s %-7s %5s  %-18s %-18s %-18s %-18s %s\n", "set", "row", "n", "nDCG@10", "R@5", "R@10", "MRR@10", "newest first")
	for _, s := range sets {
		if err := m.measureSet(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, w := range wordings {
			if other, ok := s.reworded(w); ok {
				if err := m.measureSet(ctx, other); err != nil {
					return fmt.Errorf("%s: %w", other.name, err)
				}
			}
		}
	}
	return nil
}

func (m *models) measureSet(ctx context.Context, s set) error {
	rows, weights := map[string]map[string][]outcome{}, rank.DefaultWeights
	for _, st := range s.stores {
		with := m.prose
		if st.isCode() {
			with, weights = m.code, rank.CodeWeights
		}
		if err := measureStore(ctx, with, st, modes(weights), rows); err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
	}
	for _, part := range parts(s) {
		for _, mode := range modes(weights) {
			var list []outcome
			for _, st := range s.stores {
				if part.has(st.name) {
					list = append(list, rows[mode.name][st.name]...)
				}
			}
			printRow(s.name+part.name, mode.name, list)
		}
	}
	return nil
}

func printRow(set, row string, list []outcome) {
	fmt.Printf("%-18s %-7s %5d", set, row, len(list))
	for _, of := range []func(outcome) float64{
		func(o outcome) float64 { return o.ndcg }, func(o outcome) float64 { return o.r5 }, func(o outcome) float64 { return o.r10 },
		func(o outcome) float64 { return o.mrr }, func(o outcome) float64 { return o.newest },
	} {
		if mean, lo, hi := macro(list, of); math.IsNaN(mean) {
			fmt.Printf("  %-17s", "-")
		} else {
			fmt.Printf("  %.3f [%.3f %.3f]", mean, lo, hi)
		}
	}
	fmt.Println()
}

func measureStore(ctx context.Context, m *model, st *store, modes []mode, rows map[string]map[string][]outcome) error {
	s, err := openSpace(ctx, m, st.docs)
	if err != nil {
		return err
	}
	defer s.close()
	texts := make([]string, len(st.queries))
	for i, q := range st.queries {
		texts[i] = q.Text
	}
	vectors, err := m.prompts(ctx, texts)
	if err != nil {
		return err
	}
	for _, mode := range modes {
		if rows[mode.name] == nil {
			rows[mode.name] = map[string][]outcome{}
		}
		for i, q := range st.queries {
			ranked, err := s.ask(ctx, q.Text, vectors[i], mode)
			if err != nil {
				return err
			}
			rows[mode.name][st.name] = append(rows[mode.name][st.name], outcomeOf(q, ranked))
		}
	}
	return nil
}
