package commits

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"go.yaml.in/yaml/v3"
)

// ShownByRef gives lines that would read as ids the names of their refs.
func ShownByRef(lines []Line) []Line {
	for i, l := range lines {
		if !l.Fork && refname.ReadsAsID(l.Name) {
			lines[i].Name = l.Ref
		}
	}
	return lines
}

func HasLine(lines []Line, name string) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return l.Name == name })
}

func LineOf(r refname.Ref) (Line, bool) {
	if name, ok := strings.CutPrefix(r.Name, refname.HeadsPrefix); ok {
		return Line{Name: name, Ref: r.Name, Tip: r.ID, Of: name}, true
	}
	if name, ok := strings.CutPrefix(r.Name, refname.ForksPrefix); ok {
		of, _, _ := strings.Cut(name, "/")
		return Line{Name: name, Ref: r.Name, Tip: r.ID, Fork: true, Of: of}, true
	}
	return Line{}, false
}

// Kept are the keep newest of each line, recoveries behind what was saved, and every
// line's newest.
func (h *listedCommits) Kept(lines []Line, keep int) map[string]bool {
	kept, at, seen := map[string]bool{}, h.index.ordinals(0), make([]int, len(h.List))
	for walk, l := range lines {
		if l.Latest != nil {
			kept["tip "+l.Latest.ID] = true
		}
		tip, ok := at[l.Tip]
		if !ok {
			continue
		}
		if keep > 0 {
			for _, i := range h.index.kept(tip, seen, walk+1, keep, func(i int) bool { return h.List[i].Counts() }) {
				kept[h.List[i].ID] = true
			}
		}
	}
	return kept
}

// ClosedByHand reports whether somebody closed the line, and not the end of its branch.
func (n *LineNote) ClosedByHand() bool { return n.Closed && len(n.Gone) == 0 }

// Yaml is the file of a note, "" of one that says nothing.
func (n *LineNote) Yaml() string {
	b, err := yaml.Marshal(n)
	if err != nil || string(b) == "{}\n" {
		return ""
	}
	return string(b)
}
