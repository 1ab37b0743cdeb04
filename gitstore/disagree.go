package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/blend"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// disagreed introduces in the message of a join of knowledge a file that waits for a
// person.
const disagreed = "versions disagree: "

// The bounds of what is looked at for files that wait: commits, 12 µs each, and files.
const (
	disagreeCommits = 1000
	disagreeFiles   = 100
)

// Disagreeing are the files of the knowledge tree that wait for a person, sorted:
// those that the newest joins name, as far as nobody has settled them since, and items in
// conflict that none names, since somebody wrote that by hand. What
// cannot be read is for fsck to say. A tip of the knowledge always has the same, so they
// are kept: to look takes a process of git.
func (s *Store) Disagreeing(ctx context.Context) (paths []string) {
	tip, err := s.KnowledgeTip(ctx)
	if err != nil || tip == "" {
		return nil // there is none
	}
	if paths, ok := s.knownDisagreeing(tip); ok {
		return paths
	}
	out, err := s.git.Run(ctx, "rev-list", fmt.Sprintf("--max-count=%d", disagreeCommits), "--format=%B", "--encoding=none", "--end-of-options", tip)
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), disagreed)
		if !ok || seen[path] || len(seen) == disagreeFiles {
			continue
		}
		if seen[path] = true; s.disagrees(tip, path) {
			paths = append(paths, path)
		}
	}
	files, err := s.everyItemFile()
	var sums map[string]itemSum
	if err == nil {
		sums, err = s.itemSums(ctx, files)
	}
	if err != nil {
		return slices.Sorted(slices.Values(paths))
	}
	for _, f := range files {
		if sums[f.id+" "+f.name].sum == inConflict && len(paths) < disagreeFiles && !slices.Contains(paths, f.name) {
			paths = append(paths, f.name)
		}
	}
	slices.Sort(paths)
	_ = fsx.WriteDerived(s.disagreeFile(), []byte(strings.Join(append([]string{disagreeHead + tip}, paths...), "\n")), 0o644) // else they are looked for again
	return paths
}

// disagreeHead stands before the tip in the list that is kept.
const disagreeHead = "items "

func (s *Store) disagreeFile() string { return s.dir("cache", "disagree") }

func (s *Store) knownDisagreeing(tip string) (paths []string, ok bool) {
	b, err := fsx.ReadOwn(s.disagreeFile())
	kept := strings.Split(string(b), "\n")
	if err != nil || kept[0] != disagreeHead+tip {
		return nil, false
	}
	paths = kept[1:]
	return paths, !slices.ContainsFunc(paths, func(p string) bool { return checkPath(p) != nil })
}

// disagrees reports whether a file waits still: it holds marks, or stands beside
// another under a name that says what it holds.
func (s *Store) disagrees(tip, path string) bool {
	if checkPath(path) != nil {
		return false
	}
	o, err := s.object(tip + ":" + path)
	return err == nil && o.Type == "blob" && (blend.Disagrees(path, o.Data) || strings.Contains(path, "-"+short(o.ID)))
}
