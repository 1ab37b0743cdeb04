package near

import (
	"context"
	"errors"
)

// A Graph does not exist here.
type Graph struct{}

// Build returns an error that wraps [errors.ErrUnsupported].
func Build(context.Context, int, func(i int) ([]float32, error)) (*Graph, error) {
	return nil, errors.ErrUnsupported
}

// Search is that of no graph.
func (g *Graph) Search([]float32, int) ([]int, error) { return nil, errors.ErrUnsupported }
