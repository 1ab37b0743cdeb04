package rank

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/index"
)

// Triggers are the keywords and patterns of an item that a prompt has.
type Triggers struct {
	Exact     []string `json:"exact,omitempty"`     // as whole words, inflected or not, as the prompt has them; and a path of the scope that it names
	Shared    []string `json:"shared,omitempty"`    // likewise, but too many items have it
	Common    []string `json:"common,omitempty"`    // likewise, but it is a common word: it counts in full, and recalls nothing by itself
	Substring []string `json:"substring,omitempty"` // within words
	Patterns  []string `json:"patterns,omitempty"`
}

const (
	// SharedBy is how many items may have a keyword that recalls by itself: of what
	// more share, no prompt wants all.
	SharedBy = 10
	// shortestWithin is the length of the shortest keyword that is looked for within words:
	// "go" is in too many of them.
	shortestWithin = 4
)

// triggers are those of a hit that the prompt has.
func (l *lexicon) triggers(h *index.Hit) Triggers {
	var t Triggers
	var whole []string
	for _, i := range h.Exact {
		k := l.found.Keywords[i]
		whole = append(whole, k.Phrase)
		switch {
		case k.Docs > SharedBy && (h.Meta.IsForeign() || k.Ours > SharedBy):
			t.Shared = append(t.Shared, k.Phrase)
		case isCommonWord(k.Phrase) && k.Phrase != strings.TrimSpace(l.phrase): // by which alone nobody asks for anything else
			t.Common = append(t.Common, k.Phrase)
		default:
			t.Exact = append(t.Exact, k.Phrase)
		}
	}
	for _, k := range h.Meta.Keywords {
		if p := terms.Phrase(k); !isAmong(k, whole) && len(p) >= shortestWithin && strings.Contains(l.phrase, p) {
			t.Substring = append(t.Substring, k)
		}
	}
	for _, p := range h.Meta.Patterns {
		if l.patterns.match(p, h.Meta.IsForeign()) {
			t.Patterns = append(t.Patterns, p)
		}
	}
	return t
}

// isAmong reports whether a keyword is among phrases of the prompt, inflected or not.
func isAmong(keyword string, phrases []string) bool {
	words := terms.Words(keyword)
	return slices.ContainsFunc(phrases, func(p string) bool {
		said := terms.Words(p)
		return slices.ContainsFunc(append(terms.Languages[:len(terms.Languages):len(terms.Languages)], ""), func(in terms.Lang) bool {
			return terms.KeyPhrase(said, in) == terms.KeyPhrase(words, in)
		})
	})
}

// isCommonWord reports whether a phrase is one word that is among the most frequent of
// English, in the singular or the plural: staging is no stage. Of 60 prompts that want
// nothing of 60 facts with two or three keywords each, 7 were given something for one word
// that they had in common, and 3 are since.
func isCommonWord(phrase string) bool {
	stems := terms.Of(phrase)
	if len(stems) != 1 || commonRank()[stems[0]] == 0 {
		return false
	}
	end, ok := strings.CutPrefix(phrase, stems[0])
	return ok && slices.Contains([]string{"", "s", "e", "es"}, end)
}
