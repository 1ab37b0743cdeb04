package segment

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// FuzzMeta holds any bytes to an error or to a document that is written as it was.
func FuzzMeta(f *testing.F) {
	d := Meta{Key: "doc1", Kind: "knowledge", Keywords: []string{"staging"}, Patterns: []string{"x+"}}
	f.Add(d.appendTo(nil))
	f.Add([]byte{})
	f.Add(slices.Repeat([]byte{255}, 40))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := parseMeta(raw)
		if err != nil {
			return
		}
		again, err := parseMeta(m.appendTo(nil))
		if err != nil || math.IsNaN(m.Confidence) {
			return
		}
		if d := cmp.Diff(m, again, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}
