package compare

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// A nearPair is a line of testdata/near.jsonl: two items, and how the second stands to
// the first: same, contradicts or other. Early ones were written before the rule; of
// those that it misses nothing is said.
type nearPair struct {
	Early, Missed   bool
	Want, Why, A, B string
	Cosine          float64 // with e5-small-v2
}

func nearPairs(t *testing.T) (out []nearPair) {
	f, err := os.Open("testdata/near.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p nearPair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		out = append(out, p)
	}
	return out
}

func TestNearPairs(t *testing.T) {
	for _, p := range nearPairs(t) {
		how, _ := Statements(p.A, p.B)
		got := "other"
		if back, _ := Statements(p.B, p.A); back != how {
			t.Errorf("%q, %q: %s, and the other way round %s", p.A, p.B, how, back)
		}
		switch how {
		case Same:
			got = "same"
		case Other:
		default:
			got = "contradicts"
		}
		want := p.Want
		if p.Missed {
			want = "other"
		}
		if got != want {
			t.Errorf("%q, %q: %s (%s), want %s (%s) %.3f", p.A, p.B, got, how, p.Want, p.Why, p.Cosine)
		}
	}
}
