package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Asking are the projects beside this one whose local hooks, written from here, ask the
// server: other work trees of the same repository, which have its local server, and all
// that rely on the user's.
func (p Place) Asking() (roots []string) {
	for _, root := range append(p.recordedRoots(), p.Main) {
		there := p
		there.Root = root
		if root != "" && root != p.Root && !slices.Contains(roots, root) && there.state(Hooks, Local).Asks {
			roots = append(roots, root)
		}
	}
	return roots
}

// recordedRoots are the projects in which hooks of the person's own were installed.
func (p Place) recordedRoots() (roots []string) {
	files, _ := filepath.Glob(filepath.Join(p.Records, "*.json")) // of a pattern that is one
	for _, name := range files {
		var r record
		b, err := os.ReadFile(name)
		if err != nil || json.Unmarshal(b, &r) != nil {
			continue
		}
		if root, ok := strings.CutSuffix(filepath.ToSlash(r.Path), ownLine); ok {
			roots = append(roots, filepath.FromSlash(root))
		}
	}
	return roots
}
