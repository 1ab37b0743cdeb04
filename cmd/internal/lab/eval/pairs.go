package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/similarity"
)

// A pair is two statements, and whether the second only repeats the first. Each is a
// thesis, or {"thesis", "confidence", "evidence", "sources", "questions"}. Early ones
// were written before the rule that tells them apart.
type pair struct {
	Early bool            `json:"early"`
	Same  bool            `json:"same"`
	A     json.RawMessage `json:"a"`
	B     json.RawMessage `json:"b"`
}

func checkpointOf(data json.RawMessage) (*sage.Checkpoint, error) {
	var c sage.Checkpoint
	if json.Unmarshal(data, &c.Thesis) == nil {
		return &c, nil
	}
	var v struct {
		Thesis                       string
		Confidence                   *float64
		Evidence, Sources, Questions []string
	}
	err := json.Unmarshal(data, &v)
	c.Thesis, c.Confidence, c.KeyEvidence, c.OpenQuestions = v.Thesis, v.Confidence, v.Evidence, v.Questions
	for _, id := range v.Sources {
		c.Sources = append(c.Sources, sage.Source{Identifier: id})
	}
	return &c, err
}

// A tally counts what became of pairs.
type tally struct{ same, found, differing, lost, near int }

// scorePairs holds the rule for duplicates against the pairs of a file, without one
// against those that the tests have.
func (m *models) scorePairs(ctx context.Context, file string, record bool) error {
	if file == "" {
		file = filepath.Join("recall", "similarity", "testdata", "pairs.jsonl")
	}
	pairs, err := readLines[pair](file)
	if err != nil {
		return err
	}
	var early, later tally
	cosines := make([]float64, len(pairs))
	for i, p := range pairs {
		t := &later
		if p.Early {
			t = &early
		}
		if cosines[i], err = m.scorePair(ctx, p, t); err != nil {
			return fmt.Errorf("%s: line %d: %w", file, i+1, err)
		}
	}
	fmt.Printf("%-34s %9s %5s  %4s %5s  %s\n", "duplicates", "differing", "lost", "same", "found", "differing that the model alone would lose")
	for _, row := range []struct {
		name string
		t    tally
	}{{"pairs written before the rule", early}, {"the others", later}} {
		if n := row.t.same + row.t.differing; n > 0 {
			fmt.Printf("%-34s %9d %5d  %4d %5d  %d\n", row.name, row.t.differing, row.t.lost, row.t.same, row.t.found, row.t.near)
		}
	}
	fmt.Println()
	if record {
		return writeCosines(file, cosines)
	}
	return nil
}

func (m *models) scorePair(ctx context.Context, p pair, t *tally) (float64, error) {
	a, err := checkpointOf(p.A)
	if err != nil {
		return 0, err
	}
	b, err := checkpointOf(p.B)
	if err != nil {
		return 0, err
	}
	v, err := m.prose.texts(ctx, []string{a.Thesis, b.Thesis})
	if err != nil {
		return 0, err
	}
	cosine := 0.0
	for i, x := range v[0] {
		cosine += float64(x * v[1][i])
	}
	dup, _ := similarity.IsDuplicate(a, b, cosine, similarity.DedupThreshold)
	near := cosine >= similarity.DedupThreshold
	if p.Same {
		t.same, t.found = t.same+1, t.found+b2i(dup)
	} else {
		t.differing, t.lost, t.near = t.differing+1, t.lost+b2i(dup), t.near+b2i(near)
	}
	return cosine, nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// writeCosines records in each line of a file the cosine of its pair.
func writeCosines(file string, cosines []float64) error {
	lines, err := readLines[map[string]json.RawMessage](file)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	for i, l := range lines {
		fmt.Fprint(&out, "{")
		for _, key := range []string{"early", "same", "why", "a", "b"} {
			if v, ok := l[key]; ok {
				fmt.Fprintf(&out, "%q:%s,", key, v)
			}
		}
		fmt.Fprintf(&out, "\"cosine\":%.3f}\n", cosines[i])
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}
