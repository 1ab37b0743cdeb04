package embed

import (
	"context"
	"fmt"
)

// An Ahead is a Bert that embeds some documents before anybody asks for them.
type Ahead struct {
	*Bert
	made chan struct{} // closed when it has ended
	vecs map[string][]float32
}

// Ahead begins to embed documents, until ctx ends. Those that failed are embedded when they
// are asked for.
func (b *Bert) Ahead(ctx context.Context, texts []string) *Ahead {
	a := &Ahead{Bert: b, made: make(chan struct{})}
	go func() {
		defer close(a.made)
		defer func() { _ = recover() }() // asked for, the text panics again
		vecs, err := b.Documents(ctx, texts)
		if err != nil {
			return
		}
		a.vecs = make(map[string][]float32, len(texts))
		for i, text := range texts {
			a.vecs[text] = vecs[i]
		}
	}()
	return a
}

// Documents implements Embedder. It waits for those that were begun.
func (a *Ahead) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	select {
	case <-a.made:
	case <-ctx.Done():
		return nil, fmt.Errorf("embed: %w", ctx.Err())
	}
	out := make([][]float32, len(texts))
	var rest []string
	var at []int
	for i, text := range texts {
		if v := a.vecs[text]; v != nil {
			out[i] = v
			continue
		}
		rest, at = append(rest, text), append(at, i)
	}
	if len(rest) == 0 {
		return out, ctx.Err()
	}
	vecs, err := a.Bert.Documents(ctx, rest)
	if err != nil {
		return nil, err
	}
	for k, i := range at {
		out[i] = vecs[k]
	}
	return out, nil
}
