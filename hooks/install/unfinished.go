package install

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

var halfName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.git-sage-[0-9]+$`) })

// Unfinished are files that an install left which was killed: those of our pattern beside
// the files of any client, older than a minute, for another install may be at work.
func (p Place) Unfinished() (list []string) {
	for _, dir := range p.folders() {
		entries, _ := os.ReadDir(dir) // one that is not there has none
		for _, e := range entries {
			if !e.Type().IsRegular() || !halfName().MatchString(e.Name()) {
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
func (p Place) folders() (dirs []string) {
	add := func(dir string) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, p.Client = range Clients() {
		for _, part := range p.parts() {
			for _, s := range p.scopes() {
				if path, follow, err := p.file(part, s); err == nil && (follow || noLinks(path) == nil) {
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

// sweep removes what is unfinished, and says so.
func (p Place) sweep(r *Result) {
	for _, path := range p.Unfinished() {
		if os.Remove(path) == nil {
			r.Also = append(r.Also, path+": removed, left by a killed install")
		}
	}
}

// quoted is a path as a shell takes it.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
