package status

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/record"
)

// Asking are the projects beside this one whose local hooks, written from here, ask the
// server: other work trees of the same repository, which have its local server, and all
// that rely on the user's.
func (p Viewer) Asking() (roots []string) {
	for _, root := range append(p.recordedRoots(), p.Main) {
		there := p
		there.Root = root
		if root != "" && root != p.Root && !slices.Contains(roots, root) && there.State(place.Hooks, place.Local).Asks {
			roots = append(roots, root)
		}
	}
	return roots
}

// Projects are the roots of those in which the person has entries of their own: hooks, by
// what is recorded, or a server, by Claude Code's file.
func (p Viewer) Projects() (roots []string) {
	roots = p.recordedRoots()
	if d := p.Look(place.MCP, place.User); d != nil {
		projects := d.Root.Get("projects")
		for _, s := range entry.ServerSites(d.Src, d.Root, p.Bin, nil) {
			if len(s.On) > 2 && s.On[1] == projects {
				roots = append(roots, filepath.FromSlash(projects.Items[s.At[1]].Key))
			}
		}
	}
	slices.Sort(roots)
	return slices.Compact(roots)
}

// Recorded are the files and folders in which something was written that was not taken out.
func (p Viewer) Recorded() (paths []string) {
	files, _ := filepath.Glob(filepath.Join(p.Records, "*.json")) // of a pattern that is one
	for _, name := range files {
		var r record.Record
		b, err := os.ReadFile(name)
		if err == nil && json.Unmarshal(b, &r) == nil {
			paths = append(paths, r.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// recordedRoots are the projects in which hooks of the person's own were installed.
func (p Viewer) recordedRoots() (roots []string) {
	for _, path := range p.Recorded() {
		if root, ok := strings.CutSuffix(filepath.ToSlash(path), place.OwnLine); ok {
			roots = append(roots, filepath.FromSlash(root))
		}
	}
	return roots
}
