package history

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
	"github.com/git-sage/git-sage/internal/hunks"
	"github.com/git-sage/git-sage/internal/lists"
)

// A Reworded text says something else in the second of two checkpoints.
type Reworded struct {
	Key    string  `json:"key"`    // core_question, thesis, reasoning_trace, key_evidence, open_questions, unique_contributions, sources (of which it is the take), tensions (the nature), code_refs (the snippet), or the key of a changed field
	Pieces []Piece `json:"pieces"` // in order: those without a "+" are the first text, those without a "-" the second
}

// A Piece is a run of words that both texts have, or one of them.
type Piece struct {
	Text string `json:"text"`
	Sign string `json:"sign,omitempty"` // "-" only the first has it, "+" only the second
}

// Rewordings are the texts of a difference that are told word by word. What has little in common
// is not: it is another text.
func Rewordings(d diff.Difference) []Reworded {
	out := []Reworded{}
	add := func(key, before, after string) {
		if pieces, share := words(split(before), split(after)); share >= leastShared {
			out = append(out, Reworded{key, pieces})
		}
	}
	for _, f := range []struct {
		key string
		of  *diff.Change[string]
	}{{"core_question", d.CoreQuestion}, {"thesis", d.Thesis}, {"reasoning_trace", d.Reasoning}} {
		if f.of != nil {
			add(f.key, f.of.Previously, f.of.Now)
		}
	}
	for _, c := range d.ChangedFields {
		before, isText := c.Previously.(string)
		if after, isText2 := c.Now.(string); isText && isText2 {
			add(c.Key, before, after)
		}
	}
	out = append(out, pairs("key_evidence", itself, nil, d.DroppedEvidence, d.NewEvidence)...)
	out = append(out, pairs("open_questions", itself, nil, d.QuestionsAnswered, d.QuestionsRaised)...)
	out = append(out, pairs("unique_contributions", func(c sage.Contribution) string { return c.Content }, nil, d.DroppedConclusions, d.AddedConclusions)...)
	for _, c := range d.ChangedSources {
		if c.Previously.Take != c.Now.Take {
			add("sources", c.Previously.Take, c.Now.Take)
		}
	}
	out = append(out, pairs("sources", func(s sage.Source) string { return s.Take }, nil, d.DroppedSources, d.NewSources)...)
	gone := slices.DeleteFunc(slices.Clone(d.TensionsSettled), func(t sage.Tension) bool { return t.Resolution != "dropped" }) // the others are there, settled
	out = append(out, pairs("tensions", func(t sage.Tension) string { return t.Nature }, nil, gone, d.TensionsOpened)...)
	sameFile := func(a, b sage.CodeRef) bool { return a.File == b.File }
	return append(out, pairs("code_refs", func(r sage.CodeRef) string { return r.Snippet }, sameFile, d.DroppedCodeRefs, d.NewCodeRefs)...)
}

func itself(s string) string { return s }

// leastShared is which share of their words two texts have in common, at least, of which one is
// the other said anew. Of 46,000 pairs of statements out of one conversation (LoCoMo knowledge,
// each with the 19 behind it) 1% have .33 in common, and one in a thousand .53.
const leastShared = 0.5

// mostPaired bounds how many pairs of texts are compared: 625 of a sentence each take 20 ms.
const mostPaired = 625

// pairs finds, of what left a list and what came to it, those that say nearly the same, each once;
// may tells which can be one and the same, nil that all can.
func pairs[T any](key string, says func(T) string, may func(before, after T) bool, dropped, added []T) (out []Reworded) {
	if len(dropped)*len(added) > mostPaired {
		return nil
	}
	now := lists.Map(added, func(v T) []string { return split(says(v)) })
	taken := make([]bool, len(added))
	for _, v := range dropped {
		old := split(says(v))
		best, most, pieces := -1, leastShared, []Piece(nil)
		for i, after := range added {
			if taken[i] || may != nil && !may(v, after) {
				continue
			}
			if p, share := words(old, now[i]); share >= most {
				best, most, pieces = i, share, p
			}
		}
		if best >= 0 {
			taken[best] = true
			out = append(out, Reworded{key, pieces})
		}
	}
	return out
}

// words compares two texts, as they are split, word by word, and says which share of the words of
// both they have in common, in the same order.
func words(old, now []string) (pieces []Piece, share float64) {
	add := func(sign string, parts []string) {
		if text := strings.Join(parts, ""); text != "" {
			pieces = append(pieces, Piece{text, sign})
		}
	}
	at, all, common := 0, count(old)+count(now), 0
	for _, h := range joined(hunks.Between(old, now), old, now) {
		common += count(old[at:h.Old])
		add("", old[at:h.Old])
		add("-", old[h.Old:h.Old+h.Olds])
		add("+", now[h.Now:h.Now+h.Nows])
		at = h.Old + h.Olds
	}
	common += count(old[at:])
	add("", old[at:])
	if all == 0 {
		return pieces, 0
	}
	return pieces, 2 * float64(common) / float64(all)
}

// joined makes one of hunks with no word between them: who reads "a b" in the place of "c d"
// does not want to be told that the space stayed.
func joined(list []hunks.Hunk, old, now []string) (out []hunks.Hunk) {
	for _, h := range list {
		if n := len(out) - 1; n >= 0 && count(old[out[n].Old+out[n].Olds:h.Old]) == 0 {
			out[n].Olds, out[n].Nows = h.Old+h.Olds-out[n].Old, h.Now+h.Nows-out[n].Now
			continue
		}
		out = append(out, h)
	}
	for i := range out { // what both end with is no change
		for h := &out[i]; h.Olds > 0 && h.Nows > 0 && old[h.Old+h.Olds-1] == now[h.Now+h.Nows-1]; {
			h.Olds, h.Nows = h.Olds-1, h.Nows-1
		}
	}
	return out
}

// split cuts a text into words, and what is between them. Where words are not parted by spaces,
// as in Chinese and Japanese, each character is one.
func split(s string) (out []string) {
	const word, space, other = 1, 2, 3
	from, was := 0, 0
	for i, r := range s {
		kind := other
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			kind = word
		case unicode.IsSpace(r):
			kind = space
		}
		if i > 0 && (kind != was || kind == other) {
			out = append(out, s[from:i])
			from = i
		}
		was = kind
	}
	if from < len(s) {
		out = append(out, s[from:])
	}
	return out
}

// count counts the words among parts of a text.
func count(parts []string) (n int) {
	for _, p := range parts {
		if strings.ContainsFunc(p, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}
