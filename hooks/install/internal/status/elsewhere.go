package status

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// recordedRoots are the projects in which hooks of the person's own were installed.
func (p Viewer) recordedRoots() (roots []string) {
	files, _ := filepath.Glob(filepath.Join(p.Records, "*.json")) // of a pattern that is one
	for _, name := range files {
		var r record.Record
		b, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(b, &r) != nil {
			continue
		}
		if root, ok := strings.CutSuffix(filepath.ToSlash(r.Path), place.OwnLine); ok {
			roots = append(roots, filepath.FromSlash(root))
		}
	}
	return roots
}
