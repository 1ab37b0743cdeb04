package rank

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	encoder "github.com/git-sage/git-sage/recall/embed"
)

// A Calibration puts the cosines of one model on the scale that is the same for
// all. Two texts that have nothing in common have a cosine of .75 with e5-small-v2
// and of .05 with MiniLM; what all texts have in common is taken off first, so that
// it is near 0 with both.
//
// It is measured on pairs of a prompt and the text that it asks for, which are
// built in and about many things, not on texts of the sets that recall is measured
// with: their mean alone takes the share of right recalls on LoCoMo from .44 to .49,
// and lets 40% of all foreign prompts through where the items are about software.
type Calibration struct {
	Model   string    `json:"model"`
	Prompts []float32 `json:"prompts"` // mean of the vectors of the prompts
	Texts   []float32 `json:"texts"`   // and of what they ask for
	Pair    float64   `json:"pair"`    // mean centred cosine of a prompt and its text

	// For people: the bare cosine of a typical pair that has nothing in common, and of
	// one that has.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
}

//go:embed calibration
var calibrations embed.FS

// calibrationPairs are the pairs that are built in: prompts, and what each asks for.
var calibrationPairs = sync.OnceValues(func() (prompts, texts []string) {
	all, _ := calibrations.ReadFile("calibration/pairs.tsv")
	for line := range strings.Lines(string(all)) {
		prompt, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok {
			prompts, texts = append(prompts, prompt), append(texts, text)
		}
	}
	return prompts, texts
})

// Calibrate measures the calibration of a model on the pairs that are built in: half a
// second with the models that are.
func Calibrate(ctx context.Context, e encoder.Embedder) (*Calibration, error) {
	prompts, texts := calibrationPairs()
	return measure(ctx, e, prompts, texts)
}

func measure(ctx context.Context, e encoder.Embedder, prompts, texts []string) (*Calibration, error) {
	p, err := e.Queries(ctx, prompts)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	t, err := e.Documents(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	c := &Calibration{Model: e.Model().Name, Prompts: meanOf(p), Texts: meanOf(t)}
	for i := range p {
		c.Pair += c.centred(p[i], t[i]) / float64(len(p))
		c.High += Dot(p[i], t[i]) / float64(len(p))
		c.Low += Dot(p[i], t[(i+1)%len(t)]) / float64(len(p)) // what another prompt asks for
	}
	return c, nil
}

// CalibrateBeside measures a model on other pairs. Such may lie nearer or farther than prompts
// and what they ask for do, so that the reference, the model that the thresholds were measured
// with, is measured on the same ones: what counts is how the two compare.
func CalibrateBeside(ctx context.Context, e, reference encoder.Embedder, prompts, texts []string) (*Calibration, error) {
	c, err := measure(ctx, e, prompts, texts)
	if err != nil {
		return nil, err
	}
	r, err := measure(ctx, reference, prompts, texts)
	if err != nil {
		return nil, err
	}
	if !(r.Pair > 0.01) || !(c.Pair > 0.01) {
		return nil, errors.New("calibrate: the prompts do not match the texts")
	}
	c.Pair *= pairCosine / r.Pair
	return c, nil
}

// CalibrationOf returns what is built in for a model; nil for one that Calibrate
// has to measure.
func CalibrationOf(model string) *Calibration {
	name, _, _ := strings.Cut(model, "/")
	data, err := calibrations.ReadFile("calibration/" + name + ".json")
	if err != nil {
		return nil
	}
	var c Calibration
	if json.Unmarshal(data, &c) != nil || c.Model != model {
		return nil
	}
	return &c
}

// centred is the cosine of a prompt and a text without what all have in common.
func (c *Calibration) centred(prompt, text []float32) float64 {
	return newCentre(c, nil, 0).cosine(prompt, text)
}

// pairCosine is the Pair of e5-small-v2, for which the scores were measured: a model
// whose true pairs lie nearer is stretched less.
const pairCosine = 0.40

// Unit is the centred cosine that counts as 1. With .78 for e5-small-v2, weights of
// .70 and .30 are .75 to .25 of the bare numbers, in the midst of the plain between
// .7 and .8 where recall is best.
func (c *Calibration) Unit() float64 {
	if c.Pair <= 0 {
		return 0.78
	}
	return 0.78 * c.Pair / pairCosine
}

// A centre is what the texts of a store have in common, and the prompts.
type centre struct{ prompts, texts []float32 }

// background is how many texts of a store weigh as much as the pairs built in. A
// store of thousands knows itself best what its texts have in common; one of five
// texts does not (nDCG@10 on LoCoMo knowledge, turns: .593, .511 with 100; .580,
// .491 without the store; .593, .512 without the pairs, where small stores suffer).
const background = 100

// newCentre returns the centre for a store with n vectors and their mean.
func newCentre(c *Calibration, mean []float32, n int) centre {
	if len(mean) != len(c.Texts) || n == 0 {
		return centre{c.Prompts, c.Texts}
	}
	w := float32(n) / float32(n+background)
	out := centre{make([]float32, len(mean)), make([]float32, len(mean))}
	for i, m := range mean {
		out.prompts[i] = w*m + (1-w)*c.Prompts[i]
		out.texts[i] = w*m + (1-w)*c.Texts[i]
	}
	return out
}

// cosine compares the differences from the centre.
func (c centre) cosine(prompt, text []float32) float64 {
	if len(prompt) != len(c.prompts) || len(text) != len(c.texts) {
		return 0
	}
	var pt, pp, tt float64
	for i := range prompt {
		p, t := float64(prompt[i]-c.prompts[i]), float64(text[i]-c.texts[i])
		pt, pp, tt = pt+p*t, pp+p*p, tt+t*t
	}
	if pp == 0 || tt == 0 {
		return 0
	}
	return pt / math.Sqrt(pp*tt)
}

func meanOf(vectors [][]float32) []float32 {
	if len(vectors) == 0 {
		return nil
	}
	out := slices.Clone(vectors[0])
	for _, v := range vectors[1:] {
		for i, x := range v {
			out[i] += x
		}
	}
	for i := range out {
		out[i] /= float32(len(vectors))
	}
	return out
}

// Dot is the cosine of two vectors of unit length.
func Dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
