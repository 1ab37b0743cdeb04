package compare

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// Of testdata/opposing.jsonl, which but for later ones was written before the rule, no pair
// that agrees or speaks of something else may be told as opposing, nor any of near.jsonl; of
// those that oppose most are told.
func TestOpposing(t *testing.T) {
	f, err := os.Open("testdata/opposing.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	told, oppose, all := 0, 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); all++ {
		var p struct {
			Opposes        bool
			Question, A, B string
		}
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		a, b := NewStance(p.Question, p.A), NewStance(p.Question, p.B)
		how := a.Opposes(b)
		if back := b.Opposes(a); back != how {
			t.Errorf("%q, %q: %q, and the other way round %q", p.A, p.B, how, back)
		}
		switch {
		case p.Opposes && how != "":
			told++
		case p.Opposes:
			t.Logf("not told: %q, %q", p.A, p.B)
		case how != "":
			t.Errorf("%q, %q: told as opposing (%s)", p.A, p.B, how)
		}
		if p.Opposes {
			oppose++
		}
	}
	if oppose != 30 || all != 70 || told != 26 { // docs/team.md says so
		t.Errorf("of %d pairs %d oppose each other, and %d are told", all, oppose, told)
	}
	for _, p := range nearPairs(t) {
		if how := NewStance("", p.A).Opposes(NewStance("", p.B)); how != "" && p.Want != "contradicts" {
			t.Errorf("%q, %q: told as opposing (%s)", p.A, p.B, how)
		}
	}
}
