// Package draft has a client's file while it is edited, of JSON or of TOML, and knows which
// of its bytes are ours: without those it is as its owner wrote it.
package draft

import (
	"bytes"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
	"github.com/git-sage/git-sage/hooks/install/internal/toml"
)

// A Draft is a file while it is edited, with the memory of which of its bytes
// are ours. It is exact as long as taking those out gives the owner's bytes.
type Draft struct {
	Src   []byte
	Root  *jsonc.Node // nil: the file is empty, or TOML
	Style jsonc.Style
	Ours  []edit.Span // sorted, apart from each other
	Exact bool

	TOML       bool
	Statements []toml.Statement // of TOML

	Found []Found // hooks that were there before ours
	Fresh bool    // nothing is recorded of the file
	Gone  bool    // what is left of ours is what was found

	Chosen *bool // what somebody chose now of hooks that start programs
}

// Read parses a file, of TOML or of JSON. A file of white space alone counts as empty.
func Read(src []byte, toml bool) (*Draft, error) {
	return (&Draft{TOML: toml}).next(src, nil, true)
}

// next is a file of the same kind.
func (was *Draft) next(src []byte, ours []edit.Span, exact bool) (d *Draft, err error) {
	d = &Draft{Src: src, Ours: ours, Exact: exact, TOML: was.TOML, Found: was.Found, Fresh: was.Fresh, Gone: was.Gone, Chosen: was.Chosen}
	if was.TOML {
		d.Style = jsonc.StyleOf(src, nil)
		d.Statements, err = toml.Parse(src)
		return d, err
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, edit.BOM))) == 0 {
		d.Style = jsonc.StyleOf(src, nil)
		return d, nil
	}
	if d.Root, err = jsonc.Parse(src); err == nil {
		d.Style = jsonc.StyleOf(src, d.Root)
	}
	return d, err
}

// Edit applies splices, given in any order, and moves the spans along.
func (d *Draft) Edit(list []edit.Splice) error {
	out := edit.Apply(d.Src, list) // sorts list
	ours, exact := d.Ours, d.Exact
	for _, s := range slices.Backward(list) {
		var ok bool
		ours, ok = edit.Shift(ours, s, string(d.Src[s.From:s.To]))
		exact = exact && ok
	}
	next, err := d.next(out, ours, exact)
	if err == nil {
		*d = *next
	}
	return err
}

// Owner is the file without our bytes, and with those that they replaced.
func (d *Draft) Owner() []byte {
	var cuts []edit.Splice
	for _, s := range d.Ours {
		cuts = append(cuts, edit.Splice{From: s.From, To: s.To, Text: s.Was})
	}
	return edit.Apply(d.Src, cuts)
}

// IsOurs says whether the whole of a value is ours.
func (d *Draft) IsOurs(n *jsonc.Node) bool {
	for _, s := range d.Ours {
		if s.Was == "" && s.From <= n.From && n.To <= s.To {
			return true
		}
	}
	return false
}

// Reset takes out all that is ours.
func (d *Draft) Reset() error {
	next, err := d.next(d.Owner(), nil, true)
	if err == nil {
		*d = *next
	}
	return err
}

// A Found is a hook of ours that stood in a file before anything was installed there:
// whoever wrote it keeps it when all goes.
type Found struct {
	Event string `json:"event"`
	Was   string `json:"was"` // as its owner wrote it
	Now   string `json:"now"` // as it was mended
}
