package trigger

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose"
)

// An Encode makes the vectors of texts by the model of [HeadModel]; nil is that there are none.
type Encode func(texts []string) [][]float32

const (
	mostAsked    = 2   // texts that are encoded of what is read at once: some 7 ms each
	leastWeak    = 0.2 // what signs tell at least of a turn that is worth a second opinion
	openingBytes = 200 // of a text: its point comes early, 300 and 600 do no better
)

// ReadAll reads the last turns of a conversation, as many as are new, and asks for a second
// opinion of those that signs tell most of. Without one signs alone tell.
func ReadAll(turns []Turn, news int, encode Encode) []Reading {
	from := max(0, len(turns)-news)
	out := make([]Reading, len(turns)-from)
	for i, t := range turns[from:] {
		out[i] = Read(t.Text, t.Person)
	}
	judge(out, encode)
	for i, t := range turns {
		if i >= from && i > 0 && t.Person && !turns[i-1].Person {
			out[i-from].agree(t.Text, turns[i-1].Text)
		}
	}
	return out
}

// judge replaces the readings that signs tell most of by the second opinion.
func judge(out []Reading, encode Encode) {
	list := weak(out)
	if encode == nil || len(list) == 0 {
		return
	}
	texts := make([]string, len(list))
	for i, j := range list {
		texts[i] = out[j].Opening
	}
	vectors := encode(texts)
	if len(vectors) != len(list) {
		return
	}
	for i, j := range list {
		out[j] = theHead().Judge(out[j], vectors[i])
	}
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

// plainly is a sentence without what stands for code and quotations.
func plainly(s string) string {
	s = strings.NewReplacer(prose.CodeWord, "…", prose.QuoteWord, "“…”", prose.LinkWord, "…").Replace(s)
	return strings.TrimRight(strings.Join(strings.Fields(s), " "), ".")
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
