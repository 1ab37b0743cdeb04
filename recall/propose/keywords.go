package propose

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/terms"
)

// maxProposedKeywords is how many an item is proposed with, since each recalls it by
// itself, and maxProposedKeyword how long they are, in bytes: nobody types more.
const (
	maxProposedKeywords = 5
	maxProposedKeyword  = 40
)

// keywords knows how often each word stands in a text.
type keywords struct{ times map[string]int }

// KeywordsOf are words and phrases that tell a text from others, for an item that says it.
func KeywordsOf(text string) []string { return newKeywords(text).of(text) }

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

// of are words and phrases that tell an item from others, each of which recalls it by
// itself: what is set as code, names, words that the whole text comes back to, and two
// words that stand together. A word that anybody may say is none.
func (k *keywords) of(text string) (out []string) {
	add := func(w string) {
		w = strings.ToLower(strings.TrimRight(w, "()"))
		if len(out) < maxProposedKeywords && len(w) > 1 && len(w) <= maxProposedKeyword && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	for _, m := range codeSpan().FindAllStringSubmatch(text, -1) {
		if !isPlain(m[1]) || thing(m[1]) && len(m[1]) > 3 {
			add(m[1])
		}
	}
	all := plainWords(text)
	for i, w := range all {
		if !isUnit(w) && (isIdentifier(w) || i > 0 && isName(w, all[i-1], text)) {
			add(w)
		}
	}
	for _, w := range k.again(all) {
		add(w)
	}
	for _, p := range pairs(text) {
		add(p)
	}
	return out
}

// again are the plain words of an item that the whole text comes back to, the most
// frequent first.
func (k *keywords) again(words []string) (out []string) {
	for _, w := range words {
		if w = strings.ToLower(w); k.times[w] > 1 && len(w) > 4 && thing(w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(k.times[b], k.times[a]) })
	return out[:min(len(out), 2)]
}

// pairs are two things that stand together, such as "connection pool".
func pairs(text string) (out []string) {
	at := word().FindAllStringIndex(text, -1)
	for i := 1; i < len(at); i++ {
		a, b := text[at[i-1][0]:at[i-1][1]], text[at[i][0]:at[i][1]]
		if text[at[i-1][1]:at[i][0]] == " " && thing(strings.ToLower(a)) && thing(b) {
			out = append(out, a+" "+b)
			i++ // "refresh token rotation" is not two
		}
	}
	return out[:min(len(out), 2)]
}

// thing reports whether a word in lower case may be the name of a thing: neither a word
// of speech nor, by how it ends, a verb or an adverb.
func thing(w string) bool {
	if !isPlain(w) || len(w) < 3 || len(terms.Of(w)) == 0 || tellsNothing(w) || isUnit(w) {
		return false
	}
	if endsAlike()[w] {
		return true
	}
	for _, end := range []string{"ed", "ly", "ing", "est"} {
		if len(w) > 4 && strings.HasSuffix(w, end) {
			return false
		}
	}
	return true
}

// endsAlike are things that end as verbs do.
var endsAlike = prose.WordSet("staging billing routing logging caching hashing indexing string tracing mapping binding setting pricing testing training request manifest digest feed speed seed assembly")

// isPlain reports whether a word has nothing but lower-case letters and hyphens.
func isPlain(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLower(r) && r != '-' })
}

// isUnit reports whether a word measures things of any kind.
func isUnit(w string) bool {
	switch strings.ToLower(w) {
	case "kb", "mb", "gb", "tb", "kib", "mib", "gib", "ms", "us", "ns", "sec", "min", "hz", "khz", "mhz", "ghz", "qps", "rps", "cpu", "ram", "utc", "id", "ids", "ok", "todo", "api", "note":
		return true
	}
	return false
}

// isIdentifier reports whether a word looks like a name of code: parseHeader, auth_token,
// src/auth.go, HTTP2.
func isIdentifier(w string) bool {
	if prose.Abbreviated(w) || unicode.IsDigit([]rune(w)[0]) && !strings.ContainsAny(w, "/_") {
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
	return unicode.IsUpper(r[0]) && len(r) > 2 && len(terms.Of(w)) > 0 && !tellsNothing(strings.ToLower(w)) && !strings.Contains(text, before+". "+w) && !strings.Contains(text, before+": "+w) && !strings.Contains(text, "\n"+w)
}

// tellsNothing reports whether a word is one by which people say that they concluded,
// prefer or tried something, or that stands in anything: no keyword.
func tellsNothing(w string) bool { return commonWords()[w] }

var commonWords = prose.WordSet(`leave leaves faster slower install installs four five six seven eight nine ten tiny claim claims known limitation limitations authors
				prefer prefers preference always never must should want wants like likes please make sure ensure decided decide decision chose concluded conclusion
		agreed settled found find turned turns confirmed verified root cause caused reason problem issue solution tried failed fails failure work works worked
		working instead because since therefore however cannot only least most than using used uses need needs have will every approach learned thing things
		good better best fine still even much many well keep team user users now one two three first second next last new old note said say says tell get gets
		got set sets put run runs goes go went take takes took give gives show shows see read write call calls add adds use help helps look let bring brings
		come comes become stay stays hold holds kept made makes does done did may might can could would per time times seconds minute minutes hour hours day
		days week weeks month months year years already again also small large big long short high low far whole full few more less other another same
		different simple simpler easy hard change changes way ways part parts kind number numbers point case cases place line lines end ends start starts half
		ever prevent allow allows require requires happen happens contain contains ignore ignores pick picks drop drops move moves wait waits both each ran
		ask asks asked answer answers behind below above inside outside under within without enough early late down break breaks improve improves reach
		available possible whichever whenever wherever include includes settle rotate copy swap check`)
