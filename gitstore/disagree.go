package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/blend"
)

// disagreed introduces in the message of a join of knowledge a file that waits for a
// person.
const disagreed = "versions disagree: "

// The bounds of what is looked at for files that wait: commits, 12 µs each, and files.
const (
	disagreeCommits = 1000
	disagreeFiles   = 100
)

// disagreeing are the files of the knowledge tree that wait for a person, sorted:
// those that the newest joins name, as far as nobody has settled them since. What
// cannot be read is for fsck to say.
func (s *Store) disagreeing(ctx context.Context) (paths []string) {
	out, err := s.git.Run(ctx, "rev-list", fmt.Sprintf("--max-count=%d", disagreeCommits), "--format=%B", "--encoding=UTF-8", "--end-of-options", s.knowledge())
	if err != nil {
		return nil // there is none
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), disagreed)
		if !ok || seen[path] || len(seen) == disagreeFiles {
			continue
		}
		if seen[path] = true; s.disagrees(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// disagrees reports whether a file waits still: it holds marks, or stands beside
// another under a name that says what it holds.
func (s *Store) disagrees(path string) bool {
	if checkPath(path) != nil {
		return false
	}
	o, err := s.batch.Get(s.knowledge() + ":" + path)
	return err == nil && o.Type == "blob" && (blend.Disagrees(path, o.Data) || strings.Contains(path, "-"+short(o.ID)))
}
