package embed

import "context"

// Model says what made a vector.
type Model struct {
	Name      string // changes whenever vectors would: vectors of different names are never compared
	Dim       int
	MaxTokens int // what is longer is cut, the two special tokens counted

	// What the model wants before a text. Queries and Documents put it there.
	QueryPrefix, DocumentPrefix string
}

// An Embedder turns texts into vectors of unit length whose dot product says how
// near they are in meaning: one vector a text, in order, for any bytes, also none.
// No text is an error; what is too long is cut. When the context ends, its error is
// returned and no vector. Several goroutines may use one Embedder.
type Embedder interface {
	Model() Model
	// Queries embeds what is searched with.
	Queries(ctx context.Context, texts []string) ([][]float32, error)
	// Documents embeds what is to be found.
	Documents(ctx context.Context, texts []string) ([][]float32, error)
}
