//go:build !windows

package near

import (
	"context"
	"fmt"
	"math/rand"

	"github.com/coder/hnsw"
)

const (
	// neighbours and effort are what a graph is built with: recall@10 of .99 at 100,000
	// clustered vectors, where the defaults have .93.
	neighbours, effort = 16, 100
	// searching is the effort of a search for as many as a ranking wants.
	searching = 200
)

// A Graph is safe for use by several goroutines.
type Graph struct {
	g *hnsw.Graph[int]
}

// Build makes a graph of n rows, until ctx ends. The rows must stay.
func Build(ctx context.Context, n int, row func(i int) ([]float32, error)) (out *Graph, err error) {
	defer guard(&err)
	g := hnsw.NewGraph[int]()
	g.M, g.EfSearch, g.Distance = neighbours, effort, distance
	g.Rng = rand.New(rand.NewSource(1))
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, err := row(i)
		if err != nil {
			return nil, err
		}
		g.Add(hnsw.MakeNode(i, v))
	}
	if g.Len() != n {
		return nil, fmt.Errorf("graph has %d rows of %d", g.Len(), n)
	}
	g.EfSearch = searching
	return &Graph{g}, nil
}

// Search returns the numbers of up to k rows near q, the nearest first.
func (g *Graph) Search(q []float32, k int) (rows []int, err error) {
	defer guard(&err)
	for _, n := range g.g.Search(q, k) {
		rows = append(rows, n.Key)
	}
	return rows, nil
}

// guard turns a panic of the library into an error.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("graph of vectors: %v", r)
	}
}

// distance is less the nearer two vectors of unit length are.
func distance(a, b []float32) float32 {
	var s [4]float32
	b = b[:len(a)]
	for ; len(a) >= 4; a, b = a[4:], b[4:] {
		s[0] += a[0] * b[0]
		s[1] += a[1] * b[1]
		s[2] += a[2] * b[2]
		s[3] += a[3] * b[3]
	}
	for i := range a {
		s[0] += a[i] * b[i]
	}
	return 1 - (s[0] + s[1] + s[2] + s[3])
}
