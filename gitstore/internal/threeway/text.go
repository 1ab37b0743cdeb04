package threeway

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
)

// text merges texts as sets of versions.
func (b *blender) text(base string, sides []string) string {
	var changed []string
	for _, s := range sides {
		if s != base && !slices.Contains(changed, s) {
			changed = append(changed, s)
		}
	}
	switch len(changed) {
	case 0:
		return base
	case 1:
		return changed[0]
	}
	lists := make([][]string, len(changed))
	for i, s := range changed {
		lists[i] = ended(versions.Split(s))
	}
	out := merge.Set(ended(versions.Split(base)), lists, func(s string) string { return s })
	slices.Sort(out)
	if len(out) == 0 { // everybody dropped another one of several
		return ""
	}
	b.disagree = b.disagree || len(out) > 1
	return versions.Join(out)
}

// ended gives every version a line end, which sets cannot do without. One that says
// nothing is none.
func ended(list []string) (out []string) {
	for _, s := range list {
		if s = strings.TrimRight(s, "\n"); s != "" {
			out = append(out, s+"\n")
		}
	}
	return out
}
