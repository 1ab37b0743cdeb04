package trigger

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// An Encode makes the vectors of texts by the model of [HeadModel]; nil is that there are none.
type Encode func(texts []string) [][]float32

const (
	mostAsked    = 2   // texts that are encoded of what is read at once: some 7 ms each
	leastWeak    = 0.2 // what signs tell at least of a turn that is worth a second opinion
	openingBytes = 200 // of a text: its point comes early, 300 and 600 do no better
)

// ReadAll reads turns, and asks for a second opinion of those that signs tell most of.
// Without one signs alone tell.
func ReadAll(turns []Turn, encode Encode) []Reading {
	out := make([]Reading, len(turns))
	for i, t := range turns {
		out[i] = Read(t.Text, t.Person)
	}
	if encode == nil {
		return out
	}
	list := weak(out)
	texts := make([]string, len(list))
	for i, j := range list {
		texts[i] = out[j].Opening
	}
	if len(texts) == 0 {
		return out
	}
	vectors := encode(texts)
	if len(vectors) != len(list) {
		return out
	}
	for i, j := range list {
		out[j] = theHead().Judge(out[j], vectors[i])
	}
	return out
}

// weak are the readings that a second opinion is asked of, those that tell most.
func weak(list []Reading) (out []int) {
	for i, r := range list {
		if r.Worth() {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		switch d := list[b].most() - list[a].most(); {
		case d > 0:
			return 1
		case d < 0:
			return -1
		}
		return 0
	})
	return out[:min(len(out), mostAsked)]
}

// Worth reports whether a turn is worth a second opinion.
func (r Reading) Worth() bool { return r.most() >= leastWeak && r.Opening != "" }

func (r Reading) most() (x float64) {
	for _, s := range r.Scores {
		x = max(x, s)
	}
	return x
}

// opening is how a text begins, without code and quotations, in openingBytes at most.
func opening(list []sentence) string {
	var b strings.Builder
	for _, s := range list {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if b.WriteString(plainly(s.text)); b.Len() >= openingBytes {
			break
		}
	}
	s := b.String()
	if len(s) <= openingBytes {
		return s
	}
	n := openingBytes
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
