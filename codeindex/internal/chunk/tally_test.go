package chunk

import (
	"math/rand/v2"
	"testing"

	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// A tally counts as a map does, one chunk after another, of any number of terms, and also
// where its number of chunks begins anew.
func TestTallyCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	y := newTally()
	for chunk := range 200 {
		if chunk == 100 {
			y.now = 1<<32 - 20
		}
		want := map[words.Term]uint8{}
		for range rng.IntN(9000) {
			term := words.Term(rng.IntN(6000)) << rng.IntN(3) * 64 // which meet in the same slots
			if n := &y.of(term).Body; *n < 255 {
				*n++
				want[term]++
			}
		}
		got := y.take()
		for _, c := range got {
			if c.Body != want[c.Term] {
				t.Fatalf("chunk %d, term %d: %d, not %d", chunk, c.Term, c.Body, want[c.Term])
			}
		}
		if len(got) != len(want) {
			t.Fatalf("chunk %d: %d terms, not %d", chunk, len(got), len(want))
		}
	}
}
