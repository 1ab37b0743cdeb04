package hooks

import (
	"context"
	"errors"
	"testing"

	"github.com/git-sage/git-sage/hooks/trigger"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/embed"
)

// named is a model that counts what it is asked.
type named struct {
	name string
	runs *int
	err  error
}

func (m named) Model() embed.Model { return embed.Model{Name: m.name, Dim: 1} }

func (m named) Queries(_ context.Context, texts []string) ([][]float32, error) {
	*m.runs++
	return make([][]float32, len(texts)), m.err
}

func (m named) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return m.Queries(ctx, texts)
}

func TestEncoderAsksItsModelOnceAndNoOther(t *testing.T) {
	for _, tt := range []struct {
		model      named
		list, runs int
	}{
		{named{name: trigger.HeadModel()}, 2, 1},
		{named{name: "another"}, 0, 0},
		{named{name: trigger.HeadModel(), err: errors.New("broken")}, 0, 1},
	} {
		runs := 0
		tt.model.runs = &runs
		e := &event{mem: &recall.Memory{Embedder: func() (embed.Embedder, error) { return tt.model, nil }}}
		encode := e.encoder(t.Context())
		encode([]string{"a", "b"})
		if list := encode([]string{"a", "b"}); len(list) != tt.list || runs != tt.runs {
			t.Errorf("%s: %d vectors, asked %d times", tt.model.name, len(list), runs)
		}
	}
}
