package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// taken are the secrets that were taken out of the texts of one item: a word of one tells a
// secret wherever it stands alone, as in a keyword, where no rule knows it.
type taken struct {
	findings []Finding
	words    map[string]string // in lower case, with the rule that found them; nil: nobody asks
}

const (
	leastWord       = 6   // letters and digits of a word that tells a secret
	leastUnlikeText = 8   // of one that no text has by chance, if letters and digits are mixed
	mostSaid        = 200 // bytes of a secret whose words may be plain ones: a longer one is a key with its frame
	mostRun         = 8   // words of a name that together may be one secret
)

// round is a round of r that keeps the words of what it finds.
func (t *taken) round(r *Redactor) func(string) *spans.Set {
	return func(s string) *spans.Set {
		found := r.round(s)
		for _, x := range found.List {
			t.add(x.Rule, s[x.From:x.To])
		}
		return found
	}
}

func (t *taken) add(rule, secret string) {
	if t.words == nil {
		return
	}
	var all strings.Builder
	eachWord(secret, func(from, to int) {
		w := strings.ToLower(secret[from:to])
		if unlikeText(w) || len(secret) <= mostSaid && utf8.RuneCountInString(w) >= leastWord {
			t.words[w] = rule
		}
		all.WriteString(w)
	})
	if w := all.String(); len(secret) <= mostSaid && utf8.RuneCountInString(w) >= leastWord {
		t.words[w] = rule
	}
}

// clear takes what was taken out of some texts of an item out of the others: names by which it
// is found that tell a word of a secret are dropped, and what no text has by chance is replaced.
func (t *taken) clear(it *sage.Item) error {
	if err := t.forgive(it); err != nil || len(t.words) == 0 {
		return err
	}
	for _, list := range []*[]string{&it.Keywords, &it.Aliases, &it.When, &it.Patterns} {
		*list = slices.DeleteFunc(*list, func(s string) bool {
			rule := t.told(s)
			if rule != "" {
				t.findings = count(t.findings, rule, 1)
			}
			return rule != ""
		})
	}
	return it.MapText(func(s string) (string, error) { return t.replaced(s), nil })
}

// forgive leaves out plain words that the item goes on to say: a password that is one of them
// is told by no name.
func (t *taken) forgive(it *sage.Item) error {
	if len(t.words) == 0 {
		return nil
	}
	rest := it.Clone()
	rest.Keywords, rest.Aliases, rest.When, rest.Patterns, rest.Source = nil, nil, nil, nil, ""
	return rest.MapText(func(s string) (string, error) {
		eachWord(s, func(from, to int) {
			if w := strings.ToLower(s[from:to]); !unlikeText(w) {
				delete(t.words, w)
			}
		})
		return s, nil
	})
}

// told is the rule that found a secret of which a name has a word, or the beginning of one at
// its end, where it was cut; "" is none.
func (t *taken) told(name string) string {
	var list []string
	eachWord(name, func(from, to int) { list = append(list, strings.ToLower(name[from:to])) })
	for i := range list {
		run := ""
		for _, w := range list[i:min(len(list), i+mostRun)] {
			run += w
			if rule := t.words[run]; rule != "" {
				return rule
			}
		}
	}
	if n := len(list); n > 0 && unlikeText(list[n-1]) {
		for w, rule := range t.words {
			if strings.HasPrefix(w, list[n-1]) {
				return rule
			}
		}
	}
	return ""
}

// replaced is a text with placeholders for the words of secrets that no text has by chance.
func (t *taken) replaced(s string) string {
	var b strings.Builder
	at := 0
	eachWord(s, func(from, to int) {
		w := strings.ToLower(s[from:to])
		rule := t.words[w]
		if rule == "" || !unlikeText(w) {
			return
		}
		b.WriteString(s[at:from] + spans.PlaceholderStart + rule + "]")
		at = to
		t.findings = count(t.findings, rule, 1)
	})
	return b.String() + s[at:]
}

// eachWord calls fn with where each word of letters and digits stands that is in no placeholder.
func eachWord(s string, fn func(from, to int)) {
	from := -1
	end := func(to int) {
		if from >= 0 {
			fn(from, to)
		}
		from = -1
	}
	for i := 0; i < len(s); {
		if n := spans.Placeholder(s[i:]); n > 0 {
			end(i)
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end(i)
		} else if from < 0 {
			from = i
		}
		i += n
	}
	end(len(s))
}

// unlikeText reports whether a word mixes letters and digits as no plain word does.
func unlikeText(w string) bool {
	return utf8.RuneCountInString(w) >= leastUnlikeText && strings.ContainsFunc(w, unicode.IsDigit) && strings.ContainsFunc(w, unicode.IsLetter)
}
