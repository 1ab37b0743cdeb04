package look

import (
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// Has says whether anything of a part is installed.
func (p Files) Has(part place.Part) bool {
	return slices.ContainsFunc(p.Scopes(), func(s place.Scope) bool {
		d := p.Look(part, s)
		return d != nil && len(p.Sites(d, part, s)) > 0
	})
}

// PathOf is the file of a part, for people.
func (p Files) PathOf(part place.Part, s place.Scope) string {
	path, _, _ := p.File(part, s) // of a scope that there is
	return path
}

// HasProjectServer says whether the project shares the server.
func (p Files) HasProjectServer() bool {
	d := p.Look(place.MCP, place.Project)
	return p.Root != "" && d != nil && len(p.Sites(d, place.MCP, place.Project)) > 0
}
