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

// FuzzOpposes: whatever two people say, each opposes the other or neither does.
func FuzzOpposes(f *testing.F) {
	f.Add("Which policy?", "Ship ARC; 2Q is the fallback.", "Ship LRU: it is simple.")
	f.Add("", "The importer isn't safe, because of 1.5 %", "ARC beats LRU by 9 points (on our traces)")
	f.Add("以前?", "启用 Redis", "禁用 Redis")
	f.Fuzz(func(t *testing.T, question, a, b string) {
		if len(a)+len(b)+len(question) > 2000 {
			return
		}
		x, y := NewStance(question, a), NewStance(question, b)
		if how, back := x.Opposes(y), y.Opposes(x); (how == "") != (back == "") {
			t.Errorf("%q, %q: %q, and the other way round %q", a, b, how, back)
		}
		x.MayConcern(question, b)
	})
}
