package salience

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// known are the words of what is saved already.
type known map[string]bool

func (s Session) known() known {
	k := known{}
	for _, c := range []*sage.Checkpoint{s.Last, s.Recovery} {
		if c == nil {
			continue
		}
		parts := slices.Concat([]string{c.Thesis, c.CoreQuestion, c.ReasoningTrace}, c.KeyEvidence, c.OpenQuestions)
		for _, u := range c.UniqueContributions {
			parts = append(parts, u.Content)
		}
		for _, w := range words(strings.Join(parts, " ")) {
			k[w] = true
		}
	}
	return k
}

// sameShare is how many of the words of a sentence a checkpoint has if it says so
// already: all but the odd one of a usual sentence.
const sameShare = 0.9

func (k known) has(text string) bool {
	if len(k) == 0 {
		return false
	}
	list, there := words(text), 0
	for _, w := range list {
		if k[w] {
			there++
		}
	}
	return float64(there) >= sameShare*float64(len(list))
}

// toldShare is how many of the words of a sentence are in what the session was shown, if it
// tells that again: in its own words, so fewer than of what it wrote itself.
const toldShare = 0.65

// tells reports whether a sentence says again what c says: with no number of its own,
// and without denying anything.
func tells(c *sage.Checkpoint, text string) bool {
	if c == nil || denies().MatchString(text) {
		return false
	}
	k, there := Session{Last: c}.known(), 0
	list := words(text)
	for _, w := range list {
		if k[w] {
			there++
		} else if strings.ContainsAny(w, "0123456789") {
			return false
		}
	}
	return float64(there) >= toldShare*float64(len(list))
}

var (
	denies = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:not|no|never|none|cannot|instead|except|unless|however|wrong|but)\b|n't\b`)
	})
	// goesOn is a first prompt that says nothing by itself.
	goesOn = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\W*(?:(?:hi|hello|hey|ok(?:ay)?|good morning|so)\b\W*)*(?:where (?:were|are|did) we\b.{0,30}|what did we \w+.{0,30}|(?:please |let's |let us )?(?:continue|go on|carry on|proceed|resume|pick up)\b.{0,40})?\W*$`)
	})
)

// words are what a text says, without small words.
func words(s string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" \t\r\n.,;:!?()[]{}\"'`*_-–—/", r) }) {
		if len(w) > 3 || strings.ContainsAny(w, "0123456789") {
			out = append(out, w)
		}
	}
	return out
}
