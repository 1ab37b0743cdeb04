//go:build hugot

package onnx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/pipelines"

	"github.com/git-sage/git-sage/recall/embed"
)

// Available says whether this program can run such models.
const Available = true

// atOnce is how many texts are computed together: 256 texts of 32 tokens take 1.1 GB.
const atOnce = 8

// Open returns the model that lies in a folder, as its authors publish it, under a name.
// It is not loaded: the first text does that.
func Open(dir, name string) (embed.Embedder, error) {
	o, err := describe(dir, name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", dir, err)
	}
	m := &model{o: o}
	m.load = sync.OnceValue(m.loaded)
	return m, nil
}

type model struct {
	o    options
	load func() error
	mu   sync.Mutex // one batch at a time: each takes all processors
	pipe *pipelines.FeatureExtractionPipeline
}

func (m *model) Model() embed.Model { return m.o.model }

func (m *model) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	return m.embed(ctx, m.o.model.QueryPrefix, texts)
}

func (m *model) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	return m.embed(ctx, m.o.model.DocumentPrefix, texts)
}

func (m *model) loaded() error {
	debug.SetMemoryLimit(math.MaxInt64) // 340 MB and more are in use
	s, err := hugot.NewGoSession(context.Background())
	if err != nil {
		return err
	}
	m.pipe, err = hugot.NewPipeline(s, hugot.FeatureExtractionConfig{ModelPath: m.o.dir, Name: "embed", OnnxFilename: "model.onnx"})
	return err
}

func (m *model) embed(ctx context.Context, prefix string, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	if err := guarded(m.load); err != nil {
		return nil, fmt.Errorf("load %s: %w", m.o.model.Name, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var out [][]float32
	for from := 0; from < len(texts); from += atOnce {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var clean []string
		for _, t := range texts[from:min(from+atOnce, len(texts))] {
			clean = append(clean, prefix+invisible().Replace(strings.ToValidUTF8(t, "")))
		}
		err := guarded(func() error {
			v, err := m.run(ctx, clean)
			out = append(out, v...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("embed with %s: %w", m.o.model.Name, err)
		}
	}
	return out, nil
}

var invisible = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("\ufeff", "", "\u200b", "")
})

// guarded turns a panic into an error; those in goroutines of others it cannot.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return f()
}

// run computes a batch, which is not empty.
func (m *model) run(ctx context.Context, texts []string) (out [][]float32, err error) {
	b := backends.NewBatch(len(texts))
	defer func() { err = errors.Join(err, b.Destroy()) }()
	backends.TokenizeInputs(b, m.pipe.Model.Tokenizer, texts)
	b.MaxSequenceLength = 0
	for i := range b.Input {
		n := len(b.Input[i].TokenIDs)
		if n == 0 {
			return nil, errors.New("a text without a token")
		}
		b.Input[i].MaxAttentionIndex = n - 1
		b.MaxSequenceLength = max(b.MaxSequenceLength, n)
	}
	if err := backends.CreateInputTensors(b, m.pipe.Model, m.pipe.Runtime); err != nil {
		return nil, err
	}
	if err := backends.RunSessionOnBatch(ctx, b, m.pipe.BasePipeline); err != nil {
		return nil, err
	}
	switch rows := b.OutputValues[0].(type) {
	case [][]float32: // the model pools by itself
		out = rows
	case [][][]float32:
		for i, r := range rows {
			out = append(out, m.pool(r, len(b.Input[i].TokenIDs)))
		}
	default:
		return nil, fmt.Errorf("the first output is %T, not vectors", rows)
	}
	return out, m.check(out, len(texts))
}

// pool makes one vector of the n rows of a text.
func (m *model) pool(rows [][]float32, n int) []float32 {
	if m.o.pooling == "start" {
		n = 1
	}
	out := make([]float32, len(rows[0]))
	for _, row := range rows[:min(n, len(rows))] {
		for i, v := range row {
			out[i] += v
		}
	}
	return out
}

// check makes vectors of length 1, and refuses what is none.
func (m *model) check(vectors [][]float32, texts int) error {
	if len(vectors) != texts {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), texts)
	}
	for _, v := range vectors {
		var square float64
		for _, x := range v {
			square += float64(x) * float64(x)
		}
		if !(square > 0) || math.IsInf(square, 0) {
			return errors.New("a vector without a length")
		}
		if d := m.o.model.Dim; d > 0 && len(v) != d {
			return fmt.Errorf("a vector of %d numbers, not %d", len(v), d)
		}
		for i := range v {
			v[i] = float32(float64(v[i]) / math.Sqrt(square))
		}
	}
	return nil
}
