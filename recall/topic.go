package recall

import (
	"context"
	"math"

	"github.com/git-sage/git-sage/recall/rank"
)

// A Topic says what a message is about, as a vector that can be compared with those of
// others: without what all messages have in common, of unit length.
type Topic struct {
	Vector []float32
	scale  float64
}

// Vectors are those of texts by the model of that name; nil if it is not the one in use.
func (m *Memory) Vectors(ctx context.Context, name string, texts []string) ([][]float32, error) {
	model, err := m.embedder()
	if model == nil || model.Model().Name != name {
		return nil, err
	}
	return model.Queries(ctx, texts)
}

// Topics are what messages are about, by the model for prose: some 10 ms each. There are
// none where there is no model, or one that was not calibrated.
func (m *Memory) Topics(ctx context.Context, texts []string) ([]Topic, error) {
	model, err := m.embedder()
	if model == nil {
		return nil, err
	}
	c := rank.CalibrationOf(model.Model().Name)
	if c == nil { // what was measured before; measuring takes too long here
		c = rank.ReadCalibration(m.shelf(m.Store, false, model).CalibrationFile(), model.Model())
	}
	if c == nil {
		return nil, nil
	}
	list, err := model.Queries(ctx, texts)
	if err != nil {
		return nil, err
	}
	out := make([]Topic, 0, len(list))
	for _, v := range list {
		if len(v) != len(c.Prompts) {
			return nil, nil
		}
		t := make([]float32, len(v))
		for i := range v {
			t[i] = v[i] - c.Prompts[i]
		}
		out = append(out, Topic{Vector: unit(t), scale: c.Unit()})
	}
	return out, nil
}

// Nearness is how near the topic is to the mean of those before it, the oldest first, on
// the scale that is the same for all models: 1 and more is as near as a question and its
// answer, 0 has nothing in common with them. Each weighs twice what the one before it
// does: where stretches of LoCoMo meet, that tells a boundary from another message in .90
// of all pairs with different conversations and in .80 with sessions of one, the plain
// mean of five in .84 and .73.
func (t *Topic) Nearness(before [][]float32) float64 {
	mean, weight := make([]float32, len(t.Vector)), float32(1)
	for _, o := range before {
		if len(o) != len(mean) {
			return 0
		}
		for i, x := range o {
			mean[i] += weight * x
		}
		weight *= 2
	}
	return rank.Dot(t.Vector, unit(mean)) / t.scale
}

// unit is v at length 1; nothing has length 0.
func unit(v []float32) []float32 {
	n := math.Sqrt(rank.Dot(v, v))
	if n == 0 {
		return v
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / n)
	}
	return v
}
