package recall

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/index/terms"
)

// Triggers are the keywords and patterns of an item that a prompt has.
type Triggers struct {
	Exact     []string `json:"exact,omitempty"`     // as whole words; and a path of the scope that it names
	Shared    []string `json:"shared,omitempty"`    // likewise, but too many items have it
	Substring []string `json:"substring,omitempty"` // within words
	Patterns  []string `json:"patterns,omitempty"`
}

const (
	// sharedBy is how many items may have a keyword that recalls by itself: of what
	// more share, no prompt wants all.
	sharedBy = 10
	// shortestWithin is the length of the shortest keyword that is looked for within words:
	// "go" is in too many of them.
	shortestWithin = 4
)

// triggers are those of a hit that the prompt has.
func (l *lexicon) triggers(h *index.Hit) Triggers {
	var t Triggers
	whole := map[string]bool{}
	for _, i := range h.Exact {
		k := l.found.Keywords[i]
		whole[k.Phrase] = true
		if k.Docs <= sharedBy {
			t.Exact = append(t.Exact, k.Phrase)
		} else {
			t.Shared = append(t.Shared, k.Phrase)
		}
	}
	for _, k := range h.Meta.Keywords {
		if p := terms.Phrase(k); !whole[p] && len(p) >= shortestWithin && strings.Contains(l.phrase, p) {
			t.Substring = append(t.Substring, k)
		}
	}
	for _, p := range h.Meta.Patterns {
		if matches(p, l.prompt) {
			t.Patterns = append(t.Patterns, p)
		}
	}
	return t
}

// matches reports whether a pattern is one, and in the prompt. Items are checked
// when they are saved; those of others may hold anything.
func matches(pattern, prompt string) bool {
	const most = 2000 // bytes; what somebody pastes is longer
	re, err := sage.CompilePattern(pattern)
	return err == nil && re.MatchString(prompt[:min(most, len(prompt))])
}
