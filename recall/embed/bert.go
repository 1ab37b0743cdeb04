package embed

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/recall/embed/format"
)

// Bert is an encoder of the BERT family, an Embedder.
type Bert struct {
	head   format.Head
	file   string
	tokens tokenizer
	net    network
	with   kernel
}

// OpenBert opens an encoder whose weights are the bytes of a file, as packages
// weights and convert make them. It looks at the head alone and copies nothing: the
// weights are read where they lie, when they are needed. An error wraps nothing but
// says what is wrong; see Verify for what only the checksum can tell.
func OpenBert(weights string) (*Bert, error) {
	h, err := format.Parse(weights)
	if err != nil {
		return nil, fmt.Errorf("open weights: %v", err)
	}
	b := &Bert{head: h, file: weights, with: kernels()[0]}
	return b, b.slice()
}

// Verify reads the whole file and compares its checksum: for files that came from
// elsewhere than this binary. It takes 20 ms.
func (b *Bert) Verify() error {
	if got := format.SumOf(bytesOf(b.file)[format.Size:]); got != b.head.Sum {
		return fmt.Errorf("weights of %s are damaged: checksum %.12s, want %.12s", b.head.Name, got, b.head.Sum)
	}
	return nil
}

// Kernels are the names of the kernels that this processor can run, the fastest
// first, which is what OpenBert takes.
func Kernels() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.name)
	}
	return names
}

// WithKernel is b computing with another of Kernels.
func (b *Bert) WithKernel(name string) (*Bert, error) {
	for _, k := range kernels() {
		if k.name == name {
			other := *b
			other.with = k
			return &other, nil
		}
	}
	return nil, fmt.Errorf("this processor has no kernel '%s'", name)
}

// Kernel is the name of the kernel that b computes with.
func (b *Bert) Kernel() string { return b.with.name }

// Model implements Embedder.
func (b *Bert) Model() Model {
	h := b.head
	return Model{h.Name, h.Hidden, h.MaxTokens, h.QueryPrefix, h.DocumentPrefix}
}

// Queries implements Embedder.
func (b *Bert) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	return b.embed(ctx, b.head.QueryPrefix, texts)
}

// Documents implements Embedder.
func (b *Bert) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return b.embed(ctx, b.head.DocumentPrefix, texts)
}

// Count is the number of tokens of a text, without the prefix and the special ones.
func (b *Bert) Count(text string) int { return b.tokens.count(text) }
