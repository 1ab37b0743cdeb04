package propose

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose"
)

// A paragraph is a piece of prose: one of a text, or a point of a list, with what it
// is said to be by the heading or label that it stands under.
type paragraph struct {
	sentences []prose.Sentence
	kind      string // "" is nothing
}

// kinds are what sentences are that stand under a heading or behind a label.
var kinds = map[prose.Role]string{
	prose.Conclusion: conclusion, prose.Decision: conclusion, prose.Constraint: Constraint, prose.Preference: Preference, prose.Failure: failure,
}

// paragraphs takes Markdown apart. Code, tables, quotations and headings are nobody's claims.
func paragraphs(text string) (out []paragraph) {
	block := -1
	for _, s := range prose.Read(strings.ReplaceAll(text, "\x00", "")) {
		if s.Part == prose.Heading {
			continue
		}
		if s.Block != block {
			block = s.Block
			if len(out) > 0 && prose.RoleOf(s.Label) == prose.Reason { // it belongs to what stands above it
				out[len(out)-1].sentences = append(out[len(out)-1].sentences, s)
				continue
			}
			out = append(out, paragraph{kind: kinds[s.Role()]})
		}
		par := &out[len(out)-1]
		par.sentences = append(par.sentences, s)
	}
	return out
}

// recap is how people begin to say again what was said.
var recap = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:please )?(?:note|keep in mind|remember|mind) that\s+|^(?:(?:just |so )?(?:to |a )?(?:quick )?(?:recap|summari[sz]e|sum up|summary|repeat|be clear)|tl;dr|note|important|nb|remember)\b[^:.]{0,40}:\s+`)
})
