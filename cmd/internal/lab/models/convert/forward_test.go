package convert

import (
	"math"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/lab/models/modeltest"
	"github.com/git-sage/git-sage/recall/embed"
)

// The encoder computes what the float32 model does, at widths and with heads of all
// sorts: those of MiniLM, bge-base and bge-large among them.
func TestEncoderAgreesWithFloats(t *testing.T) {
	for i, m := range []modeltest.Tiny{modeltest.Small,
		{Hidden: 64, Inner: 192, Layers: 2, Heads: 1, Positions: 16, Seed: 2},
		{Hidden: 128, Inner: 64, Layers: 2, Heads: 4, Positions: 16, Seed: 3},
		{Hidden: 384, Inner: 384, Layers: 1, Heads: 12, Positions: 16, Seed: 4},
		{Hidden: 768, Inner: 768, Layers: 1, Heads: 12, Positions: 16, Seed: 5},
	} {
		tensors, err := ReadONNX(m.ONNX())
		if err != nil {
			t.Fatal(err)
		}
		a := About{Name: "x", Heads: m.Heads, MaxTokens: m.Positions, NormEpsilon: "1e-12", Pooling: []string{"mean", "start"}[i%2]}
		weights, err := File(a, tensors, modeltest.Vocab)
		if err != nil {
			t.Fatal(err)
		}
		w := writer{tensors: tensors, vocab: modeltest.Vocab}
		h, err := w.head(a)
		if err != nil {
			t.Fatal(err)
		}
		want := pooled((&forward{&w, h, map[string]*seen{}}).run([]int{2, 6, 10, 7, 8, 4, 5, 9, 12, 13, 14, 15, 16, 3}), a.Pooling)
		b, err := embed.OpenBert(string(weights))
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Documents(t.Context(), []string{"cat a running tokens . c d e f g"})
		if err != nil {
			t.Fatal(err)
		}
		if c := cosine(got[0], want); !(c > .998) {
			t.Errorf("width %d, %d heads, %s: cosine %.5f", m.Hidden, m.Heads, a.Pooling, c)
		}
	}
}

func pooled(rows [][]float32, pooling string) []float32 {
	if pooling == "start" {
		return rows[0]
	}
	out := make([]float32, len(rows[0]))
	for _, row := range rows {
		for i, v := range row {
			out[i] += v
		}
	}
	return out
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}
