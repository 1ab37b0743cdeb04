package usage

import (
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/term"
)

// Offer is a completion with its description, as cobra's scripts read it.
func Offer(word, about string) string { return word + "\t" + term.Visible(about) }

// Matching are the offers that begin with what of word follows prefix.
func Matching(offers []string, prefix, word string) []string {
	var out []string
	for _, o := range offers {
		if strings.HasPrefix(prefix+o, word) {
			out = append(out, prefix+o)
		}
	}
	return out
}
