package recall

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/git-sage/git-sage/recall/index/terms"
)

// maxProposedKeywords is how many an item is proposed with, since each recalls it by
// itself, and maxProposedKeyword how long they are, in bytes: nobody types more.
const (
	maxProposedKeywords = 5
	maxProposedKeyword  = 40
)

// keywords knows how often each word stands in a text.
type keywords struct{ times map[string]int }

func newKeywords(text string) *keywords {
	k := &keywords{times: map[string]int{}}
	for _, w := range plainWords(text) {
		k.times[strings.ToLower(w)]++
	}
	return k
}

var (
	codeSpan = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`\\s]{2,40})`") })
	word     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL\pN][\pL\pN._/'’-]*[\pL\pN]|[\pL\pN]`) })
)

func plainWords(s string) []string { return word().FindAllString(s, -1) }

// of are words that tell an item from others: what is set as code, names, then the
// words that the text comes back to.
func (k *keywords) of(text string) (out []string) {
	add := func(w string) {
		w = strings.ToLower(strings.TrimRight(w, "()"))
		if len(out) < maxProposedKeywords && len(w) > 1 && len(w) <= maxProposedKeyword && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for _, m := range codeSpan().FindAllStringSubmatch(text, -1) {
		add(m[1])
	}
	all := plainWords(text)
	for i, w := range all {
		if isIdentifier(w) || i > 0 && isName(w, all[i-1], text) {
			add(w)
		}
	}
	var rest []string
	for _, w := range all {
		if lower := strings.ToLower(w); len(terms.Of(w)) > 0 && len([]rune(w)) > 3 && !tellsNothing(lower) && !slices.Contains(rest, lower) {
			rest = append(rest, lower)
		}
	}
	slices.SortStableFunc(rest, func(a, b string) int { return cmp.Compare(k.times[b], k.times[a]) })
	for _, w := range rest {
		add(w)
	}
	return out
}

// isIdentifier reports whether a word looks like a name of code: parseHeader, auth_token,
// src/auth.go, HTTP2.
func isIdentifier(w string) bool {
	if abbreviated(w) {
		return false
	}
	lower, upper, digit, joined := false, false, false, strings.ContainsAny(w, "_/") || strings.Contains(strings.Trim(w, "."), ".")
	for i, r := range w {
		lower = lower || unicode.IsLower(r)
		upper = upper || i > 0 && unicode.IsUpper(r)
		digit = digit || unicode.IsDigit(r)
	}
	return joined && (lower || upper) || upper && (lower || len(w) > 1) || digit && lower && len(w) > 2
}

// isName reports whether a word within a sentence is a name, such as Redis.
func isName(w, before, text string) bool {
	r := []rune(w)
	return unicode.IsUpper(r[0]) && len(r) > 2 && len(terms.Of(w)) > 0 && !strings.Contains(text, before+". "+w) && !strings.Contains(text, before+": "+w) && !strings.Contains(text, "\n"+w)
}

// tellsNothing are words by which people say that they concluded, prefer or tried
// something: they stand in every such item.
func tellsNothing(w string) bool {
	switch w {
	case "prefer", "prefers", "preference", "always", "never", "must", "should", "want", "wants", "like", "likes", "please", "make", "sure", "ensure",
		"decided", "decide", "decision", "chose", "concluded", "conclusion", "agreed", "settled", "found", "find", "turned", "turns", "confirmed", "verified",
		"root", "cause", "caused", "reason", "problem", "issue", "solution", "tried", "failed", "fails", "failure", "work", "works", "worked", "working", "instead",
		"because", "since", "therefore", "however", "cannot", "only", "least", "most", "than", "using", "used", "uses", "need", "needs", "have", "will", "every",
		"approach", "learned", "thing", "things", "good", "better", "best", "fine", "still", "even", "much", "many", "well", "keep", "team", "user", "users":
		return true
	}
	return false
}
