package history

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
)

// Kept leaves out what is hidden, and joins what remains: a child of such a commit continues
// what that continued, and what pointed to it points to its parent.
func Kept(records []gitstore.Record, hidden func(gitstore.Record) bool) []gitstore.Record {
	behind := map[string][]string{} // of what is left out, what is shown behind it
	shownBehind := func(parents []string) (out []string) {
		for _, p := range parents {
			next, isHidden := behind[p]
			if !isHidden {
				next = []string{p}
			}
			for _, id := range next {
				if !slices.Contains(out, id) {
					out = append(out, id)
				}
			}
		}
		return out
	}
	for _, r := range slices.Backward(records) {
		if hidden(r) {
			behind[r.ID] = shownBehind(r.Parents)
		}
	}
	names := map[string][]string{}
	var out []gitstore.Record
	for _, r := range records {
		r.Names = slices.Concat(names[r.ID], r.Names)
		if !hidden(r) {
			r.Parents = shownBehind(r.Parents)
			out = append(out, r)
			continue
		}
		for _, n := range r.Names {
			if len(r.Parents) > 0 && !strings.HasPrefix(n, "tag: ") {
				names[r.Parents[0]] = append(names[r.Parents[0]], n)
			}
		}
	}
	return out
}
