package similarity

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/recall/embed"
)

// asked is a model that keeps what it was asked for: a text is its length and its fifth letter.
type asked struct{ texts []string }

func (a *asked) Model() embed.Model { return embed.Model{Name: "asked", Dim: 2, MaxTokens: 512} }

func (a *asked) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	a.texts = append(a.texts, texts...)
	return a.embed(texts), ctx.Err()
}

func (a *asked) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return a.Queries(ctx, texts)
}

func (*asked) embed(texts []string) (out [][]float32) {
	for _, s := range texts {
		out = append(out, []float32{float32(len(s)), float32(s[4])})
	}
	return out
}

// What was compared at the end of the turn before is not read by the model once more, and
// has the same vector; what is damaged is.
func TestVectorsOfBeforeAreNotMadeAgain(t *testing.T) {
	model, known := &asked{}, map[string][]byte{}
	for _, tt := range []struct{ texts, want []string }{
		{[]string{"the cache", "the queue"}, []string{"the cache", "the queue"}},
		{[]string{"the queue", "the lock"}, []string{"the lock"}},
		{[]string{"the cache", "the lock"}, []string{"the cache"}},
	} {
		model.texts = nil
		got, err := queriesBut(t.Context(), model, tt.texts, known)
		if err != nil || !slices.Equal(model.texts, tt.want) || len(known) != len(tt.texts) {
			t.Errorf("%q: asked for %q, keeps %d: %v", tt.texts, model.texts, len(known), err)
		}
		if diff := cmp.Diff(model.embed(tt.texts), got); diff != "" {
			t.Errorf("%q: %s", tt.texts, diff)
		}
	}
	for k := range known {
		known[k] = known[k][:len(known[k])-1]
	}
	model.texts = nil
	if got, err := queriesBut(t.Context(), model, []string{"the lock"}, known); err != nil || len(model.texts) != 1 || !slices.Equal(got[0], model.embed([]string{"the lock"})[0]) {
		t.Errorf("damaged: asked for %q, %v", model.texts, err)
	}
	if got, err := queriesBut(t.Context(), model, []string{"the lock"}, nil); err != nil || len(got) != 1 {
		t.Errorf("without a memory: %v %v", got, err)
	}
}
