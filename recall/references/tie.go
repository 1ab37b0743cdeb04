package references

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// String is "lines", "commit", "file" or "folder".
func (h How) String() string { return [...]string{"lines", "commit", "file", "folder"}[h] }

// Tie says what ties a reason to the lines, and how that is now.
func (r *Reason) Tie() string {
	switch {
	case r.How == ByCommit:
		return "saved with commit " + strings.Join(legible.Each(r.Commits[:min(2, len(r.Commits))], legible.ShortID), ", ")
	case r.How == ByFolder:
		return "about its folder"
	case r.Ref.File == "":
		return "about the file"
	}
	s := "refers to the file"
	if span := (sage.CodeRef{Lines: r.Lines}).Span(); span != "" {
		s = "refers to lines " + span
		if r.Lines[0] == r.Lines[1] {
			s = "refers to line " + span
		}
	}
	if r.Ref.Symbol != "" {
		s += " " + r.Ref.Symbol
	}
	switch r.Now.State {
	case sage.RefCurrent:
		s += ", current"
	case sage.RefMoved:
		s += ", moved from " + sage.CodeRef{File: r.Ref.File, Lines: r.Ref.Lines}.Line()
	case sage.RefChanged:
		s += ", written for " + r.Ref.Older()
	case sage.RefGone:
		s += ", gone"
	}
	return s
}
