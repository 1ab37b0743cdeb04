// Package edit replaces stretches of a text, and follows which of its bytes we inserted. It
// knows no format: JSON and TOML are both edited with it.
package edit

import (
	"cmp"
	"slices"
)

// A Splice replaces src[From:To] by Text.
type Splice struct {
	From, To int
	Text     string
}

// Apply makes all splices; they do not overlap.
func Apply(src []byte, list []Splice) []byte {
	slices.SortStableFunc(list, func(a, b Splice) int { return cmp.Compare(a.From, b.From) })
	var out []byte
	at := 0
	for _, s := range list {
		out = append(out, src[at:s.From]...)
		out = append(out, s.Text...)
		at = s.To
	}
	return append(out, src[at:]...)
}

// BOM is the byte order mark that a file may begin with.
var BOM = []byte("\ufeff")
