package convert

import (
	"math"

	"github.com/git-sage/git-sage/recall/embed/format"
)

// Activations are rounded to 8 bits with one scale a token. A few inputs of BERT's
// linear maps are 5 to 20 times as large as the others, always the same ones, whatever
// the text, so that the others were left with 4 bits. They are therefore shifted by
// the middle of what an input is seen to be, and divided by a smoothing factor with
// which its weights are multiplied. Cosine to the float32 model, mean and least, on
// 250 texts:
//
//	                      e5-small-v2      all-MiniLM-L6-v2
//	as they are           .9991  .9984     .9969  .9838
//	shifted and smoothed  .9997  .9992     .9987  .9960
//
// What inputs are is seen by running the float32 model on random tokens: these show
// the same large inputs as real text does, and need no data.

// How much of an input's range goes to its weights; .7 and .5 were the best of .4 to
// .8 for what comes out of a LayerNorm and of GELU.
const (
	normShare = .7
	geluShare = .5
)

// seen is what the inputs of a linear map are seen to be.
type seen struct{ least, most []float32 }

func (s *seen) add(x []float32) {
	if s.most == nil {
		s.least, s.most = append([]float32(nil), x...), append([]float32(nil), x...)
	}
	for i, v := range x {
		s.least[i], s.most[i] = min(s.least[i], v), max(s.most[i], v)
	}
}

// middle is halfway between the least and the most, in units that hide what the
// machine computed differently in the last bit.
func (s *seen) middle(i int) float32 {
	return float32(math.Round(float64(s.least[i]+s.most[i])/2*32) / 32)
}

// factor is the smoothing of input i, whose weights are at most weight: a power of
// the fourth root of 2, for the same reason.
func (s *seen) factor(i int, middle, weight float32, share float64) float32 {
	far := max(s.most[i]-middle, middle-s.least[i], 1e-3)
	f := share*math.Log2(float64(far)) - (1-share)*math.Log2(float64(max(weight, 1e-6)))
	return float32(math.Exp2(math.Round(f*4) / 4))
}

// smooth is how the inputs of a linear map are shifted and divided.
type smooth struct{ shift, by []float32 }

func smoothing(s *seen, maps []linear, shifts bool, share float64) smooth {
	k := maps[0].weight.Cols
	out := smooth{make([]float32, k), make([]float32, k)}
	for i := range k {
		if shifts {
			out.shift[i] = s.middle(i)
		}
		var most float32
		for _, m := range maps {
			for r := range m.weight.Rows {
				v := m.weight.At(r, i) * m.by
				most = max(most, v, -v)
			}
		}
		out.by[i] = s.factor(i, out.shift[i], most, share)
	}
	return out
}

// samples are the random texts: of 2 to 50 tokens, because the least text is the one
// that rounding hurts most.
func samples(h format.Head) [][]int {
	var all [][]int
	state := uint64(1)
	for _, n := range []int{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48} {
		ids := []int{h.Start}
		for range min(n, h.MaxTokens-2) {
			state = state*6364136223846793005 + 1442695040888963407
			first := h.Vocab / 30 // before it are what is unused and single letters
			ids = append(ids, first+int(state>>33)%(h.Vocab-first))
		}
		all = append(all, append(ids, h.End))
	}
	return all
}
