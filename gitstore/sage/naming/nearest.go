package naming

import "strings"

// Nearest is the candidate that word was probably meant to be, "" if none is
// near: at most a third of the letters and one more may differ, and never more than half
// ("foo" is not "log"), or word begins or ends one of them.
func Nearest(word string, candidates []string) string {
	best, least := "", min(len(word)/3+1, len(word)/2)
	for _, c := range candidates {
		d := Distance(word, c)
		if len(word) > 1 && (strings.HasPrefix(c, word) || strings.HasSuffix(c, "-"+word)) {
			d = 1
		}
		if d < least || d == least && best == "" {
			best, least = c, d
		}
	}
	return best
}
