package knowledge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/threeway"
)

// The bounds of what is looked at for files that wait: commits, 12 µs each, and files.
const (
	disagreeCommits = 1000
	disagreeFiles   = 100
)

// Disagreeing are the files of the knowledge tree that wait for a person, sorted:
// those that the newest joins name, as far as nobody has settled them since, and items in
// conflict that none names, since somebody wrote that by hand. One with a private item of its id
// is left out, for that counts in its place. What cannot be read is for fsck to say. A state of
// the knowledge always has the same, so they are kept: to look takes a process of git.
func (kn *Collection) Disagreeing(ctx context.Context) (paths []string) {
	state, err := kn.history.StateTip(ctx)
	if err != nil || state == "" {
		return nil // there is none
	}
	if paths, ok := kn.knownDisagreeing(state); ok {
		return paths
	}
	tip := contents.Half(state, contents.ItemsDir)
	if tip == "" {
		return nil
	}
	out, err := kn.repo.Git.Run(ctx, "rev-list", fmt.Sprintf("--max-count=%d", disagreeCommits), "--format=%B", "--encoding=none", "--end-of-options", tip)
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), record.Disagreed)
		if !ok || seen[path] || len(seen) == disagreeFiles {
			continue
		}
		if seen[path] = true; kn.disagrees(tip, path) && !kn.contents.HasFile(state, contents.Private(path)) {
			paths = append(paths, path)
		}
	}
	files, err := kn.EveryItemFile()
	var sums map[string]ownership.ItemSum
	if err == nil {
		sums, err = kn.itemSums(ctx, files)
	}
	if err != nil {
		return slices.Sorted(slices.Values(paths))
	}
	for _, f := range files {
		if sums[f.ID+" "+f.Name].Sum == ownership.InConflict && len(paths) < disagreeFiles && !slices.Contains(paths, f.Name) {
			paths = append(paths, f.Name)
		}
	}
	slices.Sort(paths)
	_ = fsx.WriteDerived(kn.disagreeFile(), []byte(strings.Join(append([]string{disagreeHead + state}, paths...), "\n")), 0o644) // else they are looked for again
	return paths
}

// disagreeHead stands before the tip in the list that is kept.
const disagreeHead = "items "

func (kn *Collection) disagreeFile() string { return kn.repo.Dir("cache", "disagree") }

func (kn *Collection) knownDisagreeing(state string) (paths []string, ok bool) {
	b, err := fsx.ReadOwn(kn.disagreeFile())
	kept := strings.Split(string(b), "\n")
	if err != nil || kept[0] != disagreeHead+state {
		return nil, false
	}
	paths = kept[1:]
	return paths, !slices.ContainsFunc(paths, func(p string) bool { return contents.CheckPath(p) != nil })
}

// disagrees reports whether a file waits still: it holds marks, or stands beside
// another under a name that says what it holds.
func (kn *Collection) disagrees(tip, path string) bool {
	if contents.CheckPath(path) != nil {
		return false
	}
	o, err := kn.repo.Object(tip + ":" + path)
	return err == nil && o.Type == "blob" && (threeway.Disagrees(path, o.Data) || strings.Contains(path, "-"+record.Short(o.ID)))
}
