package propose

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/spelling"
	"github.com/git-sage/git-sage/prose/terms"
)

// Slug is s in lower-case ASCII words joined by dashes; "" if nothing is left.
// Accents are taken off their letters.
func Slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range spelling.Unaccented(s) {
		switch {
		case r == '\'', r == '’':
			continue
		case r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(unicode.ToLower(r))
			gap = false
		default:
			gap = true
		}
	}
	return b.String()
}

// spelled is a text with its umlauts spelled out, unless it is in a language that only takes the dots
// off, as Spanish does.
func spelled(s string) string {
	s = norm.NFC.String(s)
	if l := prose.Language(s); l != prose.German && l != "" {
		return s
	}
	return spelling.Umlauts(s)
}

// The bounds of an id that is made of a title: one that is typed again later should
// fit into a line of a list.
const (
	idWords = 6
	idBytes = 48
)

// IDOf is an id for an item of this title, "" if there is none in it. Words that tell
// nothing are left out, unless nothing else is there.
//
// Secrets are taken out first: in lower case and with dashes no rule would know them.
func IDOf(title string) string {
	title = spelled(WithoutSecrets(title))
	var telling []string
	for _, w := range strings.Fields(title) {
		if len(terms.Of(w)) > 0 || negates(w) {
			telling = append(telling, strings.Split(Slug(w), "-")...)
		}
	}
	telling = slices.DeleteFunc(telling, func(w string) bool { return w == "" || len(w) == 1 && (w[0] < '0' || w[0] > '9') })
	if len(telling) == 0 {
		telling = strings.Split(Slug(title), "-")
	}
	return naming.SuggestName(joinedWithin(telling[:min(len(telling), idWords)], idBytes))
}

// IDFor is IDOf for an item of a type. A title without a letter that an id may have, in
// Japanese for one, gets one of the type and a checksum.
func IDFor(t sage.ItemType, title string) string {
	if id := IDOf(title); id != "" {
		return id
	}
	if t == "" || t == sage.Knowledge {
		t = "fact"
	}
	sum := sha256.Sum256([]byte(WithoutSecrets(title)))
	return fmt.Sprintf("%s-%x", t, sum[:4])
}

// WithoutSecrets returns a title without secrets and without what stands in their stead.
func WithoutSecrets(title string) string {
	clean, _, err := redact.Default().Text(title)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(clean, "[redacted:")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteByte(' ')
		_, clean, _ = strings.Cut(rest, "]")
	}
}

// negates reports whether a word turns what a title says into something else.
func negates(w string) bool {
	switch strings.Trim(strings.ToLower(strings.ReplaceAll(w, "’", "'")), ".,;:!*_`\"'") {
	case "no", "not", "only", "cannot", "can't", "don't", "doesn't", "didn't", "won't", "isn't", "aren't", "mustn't", "shouldn't":
		return true
	}
	return false
}

// joinedWithin joins as many words as fit, at least the first, of which then only the
// beginning may do.
func joinedWithin(words []string, most int) string {
	id := ""
	for i, w := range words {
		if i == 0 {
			id = w[:min(len(w), most)]
		} else if len(id)+1+len(w) <= most {
			id += "-" + w
		} else {
			break
		}
	}
	return id
}

// FreeID is an id like id that is not taken: itself, or with a number behind it. Of
// none it is item, item-2 and so on.
func FreeID(id string, taken func(string) bool) string {
	if id == "" {
		id = "item"
	}
	free := id
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s-%d", id, n)
	}
	return free
}
