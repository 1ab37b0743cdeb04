package look

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// Unfinished are files that an install left which was killed: those of our pattern beside
// the files of any client, older than a minute, for another install may be at work.
func (p Files) Unfinished() (list []string) {
	for _, dir := range p.folders() {
		entries, _ := os.ReadDir(dir) // one that is not there has none
		for _, e := range entries {
			if !e.Type().IsRegular() || !disk.IsHalf(e.Name()) {
				continue
			}
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
				list = append(list, filepath.Join(dir, e.Name()))
			}
		}
	}
	return list
}

// folders are those that files of clients lie in, behind links that are followed to write,
// and that of the records.
func (p Files) folders() (dirs []string) {
	add := func(dir string) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, p.Client = range place.Clients() {
		for _, part := range p.Parts() {
			for _, s := range p.Scopes() {
				if path, follow, err := p.File(part, s); err == nil && (follow || disk.CheckLinks(path) == nil) {
					add(filepath.Dir(realPath(path)))
				}
			}
		}
	}
	add(p.Records)
	return dirs
}

// realPath is a file behind its links; itself if there is none.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
