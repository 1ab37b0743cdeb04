package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/weights"
	"github.com/git-sage/git-sage/recall/rank"
)

// models are the two that are embedded.
type models struct{ prose, code *model }

// A model is an encoder that remembers its vectors between runs.
type model struct {
	*embed.Bert
	file  string
	known map[[16]byte][]float32
	fresh bytes.Buffer
	last  *rank.Calibration
	list  io.Writer // gets every text that is asked for; nil is nobody
	given bool      // the vectors are somebody else's: none is made here
}

func openModels() (*models, error) {
	prose, err := openModel(weights.Prose)
	if err != nil {
		return nil, err
	}
	code, err := openModel(weights.Code)
	return &models{prose, code}, err
}

func openModel(w string) (*model, error) {
	b, err := embed.OpenBert(w)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	name := strings.ReplaceAll(b.Model().Name, "/", "-")
	m := &model{Bert: b, file: filepath.Join(cache, "git-sage", "eval", name+".vectors"), known: map[[16]byte][]float32{}}
	if err := m.read(); !errors.Is(err, os.ErrNotExist) {
		return m, err
	}
	return m, nil
}

// take uses the vectors of a file instead of making any.
func (m *model) take(file string) error {
	m.file, m.given = file, true
	clear(m.known)
	return m.read()
}

// read reads vectors: each is the first half of the SHA-256 of what was embedded, and
// float32 numbers.
func (m *model) read() error {
	data, err := os.ReadFile(m.file)
	if err != nil {
		return err
	}
	for size := 16 + 4*m.Model().Dim; len(data) >= size; data = data[size:] {
		v := make([]float32, m.Model().Dim)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[16+4*i:]))
		}
		m.known[[16]byte(data)] = v
	}
	return nil
}

// texts returns the vectors of documents, prompts those of prompts.
func (m *model) texts(ctx context.Context, texts []string) ([][]float32, error) {
	return m.cached(ctx, "d\x00", texts, m.Documents)
}

func (m *model) prompts(ctx context.Context, texts []string) ([][]float32, error) {
	return m.cached(ctx, "q\x00", texts, m.Queries)
}

func (m *model) cached(ctx context.Context, kind string, texts []string, embed func(context.Context, []string) ([][]float32, error)) ([][]float32, error) {
	keys, out := make([][16]byte, len(texts)), make([][]float32, len(texts))
	var missing []string
	for i, t := range texts {
		sum := sha256.Sum256([]byte(kind + t))
		keys[i] = [16]byte(sum[:])
		if m.list != nil {
			_ = json.NewEncoder(m.list).Encode(map[string]string{"kind": kind[:1], "text": t})
		}
		if m.known[keys[i]] == nil {
			missing = append(missing, t)
		}
	}
	if m.given && len(missing) > 0 {
		return nil, fmt.Errorf("%s lacks the vector of %q", m.file, missing[0])
	}
	vectors, err := embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	n := 0
	for i, key := range keys {
		if m.known[key] == nil || n < len(missing) && missing[n] == texts[i] {
			m.known[key] = vectors[n]
			m.fresh.Write(key[:])
			_ = binary.Write(&m.fresh, binary.LittleEndian, vectors[n])
			n++
		}
		out[i] = m.known[key]
	}
	return out, m.flush(16 << 20)
}

// flush writes what is fresh behind what the file has, once it is as much as most.
func (m *model) flush(most int) error {
	if m.fresh.Len() <= most {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(m.file), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(m.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = m.fresh.WriteTo(f)
	return errors.Join(err, f.Close())
}

func (m *models) save() error { return errors.Join(m.prose.flush(0), m.code.flush(0)) }

// calibration is the one that is built in, or else measured.
func (m *model) calibration(ctx context.Context) (*rank.Calibration, error) {
	if m.last == nil {
		m.last = rank.CalibrationOf(m.Model().Name)
	}
	if m.last != nil {
		return m.last, nil
	}
	var err error
	m.last, err = rank.Calibrate(ctx, m)
	return m.last, err
}

// calibrate writes what is built in.
func (m *models) calibrate(ctx context.Context) error {
	for _, e := range []*model{m.prose, m.code} {
		c, err := rank.Calibrate(ctx, e)
		if err != nil {
			return err
		}
		rounded(c.Prompts)
		rounded(c.Texts)
		data, err := json.Marshal(c)
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(c.Model, "/")
		file := filepath.Join("recall", "calibration", name+".json")
		if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: pair %.3f\n", file, c.Pair)
	}
	return nil
}

// rounded leaves as many digits as kernels agree about.
func rounded(v []float32) {
	for i, x := range v {
		v[i] = float32(math.Round(float64(x)*1e4) / 1e4)
	}
}
