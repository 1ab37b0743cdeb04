package install

import (
	"bytes"
	"slices"
)

// A span is a stretch of bytes that we inserted, in the place of what its owner had there.
type span struct {
	from, to int
	was      string
}

// A draft is a file while it is edited, with the memory of which of its bytes
// are ours. It is exact as long as taking those out gives the owner's bytes.
type draft struct {
	src   []byte
	root  *node // nil: the file is empty, or TOML
	style style
	ours  []span // sorted, apart from each other
	exact bool

	toml       bool
	statements []statement // of TOML

	found []found // hooks that were there before ours
	fresh bool    // nothing is recorded of the file
	gone  bool    // what is left of ours is what was found

	chosen *bool // what somebody chose now of hooks that start programs
}

// newDraft parses a file. A file of white space alone counts as empty.
func newDraft(src []byte, ours []span, exact bool) (*draft, error) {
	return (&draft{}).next(src, ours, exact)
}

// next is a file of the same kind.
func (was *draft) next(src []byte, ours []span, exact bool) (d *draft, err error) {
	d = &draft{src: src, ours: ours, exact: exact, toml: was.toml, found: was.found, fresh: was.fresh, gone: was.gone, chosen: was.chosen}
	if was.toml {
		d.style = styleOf(src, nil)
		d.statements, err = parseTOML(src)
		return d, err
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, bom))) == 0 {
		d.style = styleOf(src, nil)
		return d, nil
	}
	if d.root, err = parse(src); err == nil {
		d.style = styleOf(src, d.root)
	}
	return d, err
}

// edit applies splices, given in any order, and moves the spans along.
func (d *draft) edit(list []splice) error {
	out := apply(d.src, list) // sorts list
	ours, exact := d.ours, d.exact
	for _, s := range slices.Backward(list) {
		var ok bool
		ours, ok = shift(ours, s, string(d.src[s.from:s.to]))
		exact = exact && ok
	}
	next, err := d.next(out, ours, exact)
	if err == nil {
		*d = *next
	}
	return err
}

// shift moves spans through one splice, in the place of old; not ok means that it took
// away bytes of which some are ours and some are not. New text is ours, be it in a span
// or beside one.
func shift(ours []span, s splice, old string) (out []span, ok bool) {
	grow := len(s.text) - (s.to - s.from)
	added := span{s.from, s.from + len(s.text), old}
	placed := false
	place := func() {
		if !placed && (added.from < added.to || added.was != "") {
			out = append(out, added)
		}
		placed = true
	}
	for _, o := range ours {
		switch {
		case s.to < o.from || s.to == o.from && s.from < s.to:
			place()
			out = append(out, span{o.from + grow, o.to + grow, o.was})
		case s.from > o.to || s.from == o.to && s.from < s.to:
			out = append(out, o)
		case o.from <= s.from && s.to <= o.to:
			added = span{o.from, o.to + grow, o.was}
		default: // half in, half out
			return out, false
		}
	}
	place()
	return join(out), true
}

// join makes spans that touch one.
func join(list []span) (out []span) {
	for _, s := range list {
		if k := len(out); k > 0 && out[k-1].to >= s.from {
			out[k-1].to, out[k-1].was = s.to, out[k-1].was+s.was
		} else {
			out = append(out, s)
		}
	}
	return out
}

// owner is the file without our bytes, and with those that they replaced.
func (d *draft) owner() []byte {
	var cuts []splice
	for _, s := range d.ours {
		cuts = append(cuts, splice{s.from, s.to, s.was})
	}
	return apply(d.src, cuts)
}

// made says whether the whole of a value is ours.
func (d *draft) made(n *node) bool {
	for _, s := range d.ours {
		if s.was == "" && s.from <= n.from && n.to <= s.to {
			return true
		}
	}
	return false
}

// reset takes out all that is ours.
func (d *draft) reset() error {
	next, err := d.next(d.owner(), nil, true)
	if err == nil {
		*d = *next
	}
	return err
}

// A found is a hook of ours that stood in a file before anything was installed there:
// whoever wrote it keeps it when all goes.
type found struct {
	Event string `json:"event"`
	Was   string `json:"was"` // as its owner wrote it
	Now   string `json:"now"` // as it was mended
}
