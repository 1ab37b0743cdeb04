package similarity_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/similarity"
)

// A writtenPair is a line of testdata/pairs.jsonl: two statements, and whether the
// second only repeats the first. Early ones were written before the rule.
type writtenPair struct {
	Early  bool      `json:"early"`
	Same   bool      `json:"same"`
	Why    string    `json:"why"`
	A      statement `json:"a"`
	B      statement `json:"b"`
	Cosine float64   `json:"cosine"` // of the theses with e5-small-v2, as make eval records it
}

type statement struct{ sage.Checkpoint }

func (s *statement) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &s.Thesis) == nil {
		return nil
	}
	var v struct {
		Thesis                       string
		Confidence                   *float64
		Evidence, Sources, Questions []string
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	s.Thesis, s.Confidence, s.KeyEvidence, s.OpenQuestions = v.Thesis, v.Confidence, v.Evidence, v.Questions
	for _, id := range v.Sources {
		s.Sources = append(s.Sources, sage.Source{Identifier: id})
	}
	return nil
}

func readPairs(t *testing.T) (out []writtenPair) {
	f, err := os.Open("testdata/pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p writtenPair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		out = append(out, p)
	}
	return out
}

// No pair that differs may be lost, whatever a model thinks of it: the cosine is
// taken for 1. Of those that say the same most are found, which saves a line.
func TestDifferingPairsAreNeverDuplicates(t *testing.T) {
	pairs := readPairs(t)
	found, same := 0, 0
	for _, p := range pairs {
		cosine := 1.0
		if p.Why == "another thesis" {
			cosine = p.Cosine
		}
		got, why := similarity.IsDuplicate(&p.A.Checkpoint, &p.B.Checkpoint, cosine, similarity.DedupThreshold)
		switch {
		case !p.Same && got:
			t.Errorf("lost (%s): %q after %q", p.Why, p.B.Thesis, p.A.Thesis)
		case p.Same && got && p.Cosine >= similarity.DedupThreshold:
			found++
		case p.Same:
			t.Logf("saved twice (%s, cosine %.3f): %q after %q", why, p.Cosine, p.B.Thesis, p.A.Thesis)
		}
		if p.Same {
			same++
		}
	}
	if len(pairs) < 60 || 10*found < 8*same {
		t.Errorf("of %d pairs %d say the same, and %d are found", len(pairs), same, found)
	}
}
