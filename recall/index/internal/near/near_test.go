//go:build !windows

package near_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/recall/index/internal/near"
)

func vectors(n, dim int) [][]float32 {
	r := rand.New(rand.NewPCG(1, 1))
	out := make([][]float32, n)
	for i := range out {
		v, sum := make([]float32, dim), 0.0
		for j := range v {
			x := r.NormFloat64()*0.7 + math.Sin(float64(i%20*j))
			v[j], sum = float32(x), sum+x*x
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(sum))
		}
		out[i] = v
	}
	return out
}

func dot(a, b []float32) (s float32) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func TestGraphFindsTheNearest(t *testing.T) {
	all := vectors(600, 32)
	g, err := near.Build(context.Background(), len(all), func(i int) ([]float32, error) { return all[i], nil })
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for q := range 50 {
		order := make([]int, len(all))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(dot(all[b], all[q]), dot(all[a], all[q])) })
		got, err := g.Search(all[q], 10)
		if err != nil || len(got) != 10 || got[0] != q {
			t.Fatalf("query %d: %v %v", q, got, err)
		}
		for _, i := range order[:10] {
			if slices.Contains(got, i) {
				found++
			}
		}
	}
	if found < 490 {
		t.Errorf("found %d of 500", found)
	}
}

func TestGraphFails(t *testing.T) {
	all := vectors(50, 8)
	all[30] = all[30][:7]
	row := func(i int) ([]float32, error) { return all[i], nil }
	if g, err := near.Build(context.Background(), 50, row); err == nil {
		t.Errorf("rows of two lengths: %v", g)
	}
	g, err := near.Build(context.Background(), 30, row)
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := g.Search(all[0][:5], 3); err == nil {
		t.Errorf("query of another length: %v", rows)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := near.Build(ctx, 30, row); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	broken := errors.New("broken")
	if _, err := near.Build(context.Background(), 30, func(int) ([]float32, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("row: %v", err)
	}
	if empty, err := near.Build(context.Background(), 0, row); err != nil {
		t.Errorf("empty: %v", err)
	} else if rows, err := empty.Search(all[0], 3); err != nil || len(rows) > 0 {
		t.Errorf("empty: %v %v", rows, err)
	}
}
