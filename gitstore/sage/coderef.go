package sage

import (
	"slices"
	"strconv"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// Line is r as people write it.
func (r CodeRef) Line() string {
	line := r.File
	if span := r.Span(); span != "" {
		line += ":" + span
	}
	if r.Symbol != "" {
		line += " " + r.Symbol
	}
	return line + legible.InParens(r.Relevance)
}

// Span is the lines of r as people write them, or "".
func (r CodeRef) Span() string {
	switch {
	case r.Lines == [2]int{}:
		return ""
	case r.Lines[0] == r.Lines[1] || r.Lines[1] == 0:
		return strconv.Itoa(r.Lines[0])
	}
	return strconv.Itoa(r.Lines[0]) + "-" + strconv.Itoa(r.Lines[1])
}

// RefsInside are the references whose files have no [naming.PathProblem].
func RefsInside(refs []CodeRef) []CodeRef {
	bad := func(r CodeRef) bool { return naming.PathProblem(r.File) != "" }
	if !slices.ContainsFunc(refs, bad) {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), bad)
}
