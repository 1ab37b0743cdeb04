package main

import (
	"context"
	"os"

	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/rank"
)

// A space is the index of one store.
type space struct {
	x   *index.Index
	m   *model
	dir string
	cal *rank.Calibration
}

// openSpace builds the index of docs in a temporary folder.
func openSpace(ctx context.Context, m *model, docs []doc) (*space, error) {
	cal, err := m.calibration(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "eval-")
	if err != nil {
		return nil, err
	}
	s := &space{m: m, dir: dir, cal: cal}
	s.x, err = index.Open(dir, index.Options{Store: "eval", Model: m.Model().Name, Dim: m.Model().Dim, Count: m.Count})
	if err != nil {
		return nil, err
	}
	if err := s.fill(ctx, docs); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *space) close() {
	_ = s.x.Close()
	_ = os.RemoveAll(s.dir)
}

func (s *space) fill(ctx context.Context, docs []doc) error {
	var list []index.Doc
	for _, d := range docs {
		when := d.when()
		list = append(list, index.Doc{Meta: index.Meta{Key: d.ID, Kind: "knowledge", Type: "knowledge", Blob: d.ID, Status: "active", Added: when, Updated: when}, Body: d.Text})
	}
	return s.put(ctx, list)
}

// put makes docs all that the index holds, with their vectors.
func (s *space) put(ctx context.Context, docs []index.Doc) error {
	c := index.Change{To: map[string]string{"eval": "1"}, Rebuild: true, Docs: docs}
	if err := s.x.Update(ctx, c); err != nil {
		return err
	}
	chunks, _, err := s.x.Missing(ctx, 1<<30)
	if err != nil {
		return err
	}
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.Text
	}
	vectors, err := s.m.texts(ctx, texts)
	if err != nil {
		return err
	}
	add := make([]index.Vector, len(chunks))
	for i, c := range chunks {
		add[i] = index.Vector{ID: c.ID, V: vectors[i]}
	}
	return s.x.AddVectors(ctx, add)
}

// A mode is a row of a table: which legs count.
type mode struct {
	name    string
	weights rank.Weights
}

// modes are the rows. Words alone get no vector, as without a model.
func modes(hybrid rank.Weights) []mode {
	return []mode{{"BM25", rank.Weights{Words: 1}}, {"dense", rank.Weights{Meaning: 1}}, {"hybrid", hybrid}}
}

// ask ranks the candidates for a question, as recall does.
func (s *space) ask(ctx context.Context, text string, vector []float32, m mode) ([]rank.Scored, error) {
	if m.weights.Meaning == 0 {
		vector = nil
	}
	found, err := s.x.Search(ctx, index.Query{Text: text, Vector: vector, Limit: rank.Candidates, BM25: &rank.Keywords})
	if err != nil {
		return nil, err
	}
	r := rank.Ranking{Weights: m.weights, Calibration: s.cal}
	return r.Rank(rank.Question{Text: text, Vector: vector}, found), nil
}
