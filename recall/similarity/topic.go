package similarity

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/rank"
)

// A Topic says what a message is about, as a vector that can be compared with those of
// others: without what all messages have in common, of unit length.
type Topic struct {
	Vector []float32
	scale  float64
}

// Vectors are those of texts by the model of that name; nil if it is not the one in use.
func (co *Comparer) Vectors(ctx context.Context, name string, texts []string) ([][]float32, error) {
	model, err := co.stores.Embedder()
	if model == nil || model.Model().Name != name {
		return nil, err
	}
	return model.Queries(ctx, texts)
}

// Topics are what messages are about, by the model for prose: some 10 ms each, but for those
// whose vectors are known from before. Afterwards known has those of texts and no other, for
// the next time; it may be nil. There are none where there is no model, or one that was not
// calibrated.
func (co *Comparer) Topics(ctx context.Context, texts []string, known map[string][]byte) ([]Topic, error) {
	model, err := co.stores.Embedder()
	if model == nil {
		return nil, err
	}
	c := rank.CalibrationOf(model.Model().Name)
	if c == nil { // what was measured before; measuring takes too long here
		c = rank.ReadCalibration(co.stores.SourceOf(co.stores.Store, false, model).CalibrationFile(), model.Model())
	}
	if c == nil {
		return nil, nil
	}
	list, err := queriesBut(ctx, model, texts, known)
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

// queriesBut are the vectors of texts, made by a model unless they are known.
func queriesBut(ctx context.Context, model embed.Embedder, texts []string, known map[string][]byte) ([][]float32, error) {
	out, keys := make([][]float32, len(texts)), make([]string, len(texts))
	var lacking []string
	var at []int
	for i, text := range texts {
		sum := sha256.Sum256([]byte(model.Model().Name + "\x00" + text))
		keys[i] = hex.EncodeToString(sum[:16])
		v := make([]float32, model.Model().Dim)
		if n, err := binary.Decode(known[keys[i]], binary.LittleEndian, v); err == nil && n == len(known[keys[i]]) {
			out[i] = v
		} else {
			lacking, at = append(lacking, text), append(at, i)
		}
	}
	if len(lacking) > 0 {
		made, err := model.Queries(ctx, lacking)
		if err != nil {
			return nil, err
		}
		for k, v := range made {
			out[at[k]] = v
		}
	}
	clear(known)
	for i, v := range out {
		if b, err := binary.Append(nil, binary.LittleEndian, v); err == nil && known != nil {
			known[keys[i]] = b
		}
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
