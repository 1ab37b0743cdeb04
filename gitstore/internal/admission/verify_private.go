package admission

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// privateTime bounds the walk over what is the user's own: two million objects take some
// 20 s.
const privateTime = 5 * time.Minute

// private refuses, with all that continues it, what the user's own refs, their logs, the
// indexes, any HEAD, what git is in the middle of or a repository that this one borrows
// from reach, and our own refs do not: nobody can have sent it who did not get it from
// here, or who needed to have it at all. A text that looks like memory can be a file of
// the user's; its id stands in code references.
//
// What of the user's nothing reaches any more cannot be told from what was fetched: a
// fetch can even seem to bring it, as a delta of itself. So a file that does not read as
// what it should be is refused, too, unless our own refs reach it.
//
// All of the user's history is walked. What a remote had when code was last fetched from
// it cannot be left out: it can name what it does not have in a branch of code as well.
func (v *Verifier) private() error {
	if len(v.brings) == 0 {
		return v.ctx.Err()
	}
	bad, err := v.hits()
	if err != nil {
		return err
	}
	why := map[string]error{}
	for id := range bad {
		why[id] = fmt.Errorf("%s, which is yours and was never in the memory: the remote names it without having it", record.Short(id))
	}
	for id, path := range v.odd {
		if !bad[id] {
			bad[id], why[id] = true, &OddError{id, path}
		}
	}
	if len(bad) > 0 {
		if err := v.reached(bad); err != nil {
			return err
		}
	}
	v.condemn(bad, why)
	return v.ctx.Err()
}

// condemn refuses every commit that is bad or holds what is, with all that continue it.
// All that was judged is looked through again: one file may lie in the history of many tips.
func (v *Verifier) condemn(bad map[string]bool, why map[string]error) {
	if len(bad) == 0 {
		return
	}
	for id := range bad {
		v.Verdicts[id] = cmp.Or(v.Verdicts[id], fmt.Errorf("it names %w", why[id]))
	}
	continued := map[string][]string{}
	var todo []string
	held := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(v.judged)) {
		j := v.judged[id]
		if v.Accepted[id] {
			continue
		}
		for _, p := range j.parents {
			continued[p] = append(continued[p], id)
		}
		switch b := v.holds(j.tree, bad, held); {
		case bad[id]:
			v.Verdicts[id] = fmt.Errorf("%s is in your own history and was never in the memory: the remote names it without having it", record.Short(id))
		case v.Verdicts[id] != nil:
			continue
		case b != "":
			v.Verdicts[id] = fmt.Errorf("%s holds %w", record.Short(id), why[b])
		default:
			continue
		}
		todo = append(todo, id)
	}
	for ; len(todo) > 0; todo = todo[1:] {
		for _, id := range continued[todo[0]] {
			if v.Verdicts[id] == nil {
				v.Verdicts[id] = v.Verdicts[todo[0]]
				todo = append(todo, id)
			}
		}
	}
}

// holds is what is bad in a tree, or below; held keeps what was found.
func (v *Verifier) holds(tree string, bad map[string]bool, held map[string]string) (found string) {
	if b, ok := held[tree]; ok {
		return b
	}
	raw, _ := v.soundTree(tree)
	for _, e := range gittree.Parse(raw, v.s.repo.IDSize()) {
		b := ""
		switch {
		case bad[e.ID]:
			b = e.ID
		case e.Mode == gittree.ModeDir:
			b = v.holds(e.ID, bad, held)
		}
		if b != "" {
			found = b
			break
		}
	}
	held[tree] = found
	return found
}

// hits are those of what is brought that the user's own history reaches.
func (v *Verifier) hits() (map[string]bool, error) {
	ctx, cancel := context.WithTimeout(v.ctx, privateTime)
	defer cancel()
	hits := map[string]bool{}
	ids := slices.Concat(v.s.loggedIDs(), v.s.NotedIDs(), v.s.tableIDs(ctx), v.s.borrowedIDs(ctx))
	from := strings.NewReader(strings.Join(ids, "\n") + "\n")
	err := git.Lines(func(out io.Writer) error {
		return v.s.repo.Git.Pipe(ctx, from, out, "rev-list", "--objects", "--no-object-names", "--ignore-missing", "--missing=print",
			"--exclude=refs/sage/*", "--all", "--indexed-objects", "--stdin")
	}, func(l []byte) {
		id := bytes.TrimPrefix(l, []byte("?")) // one that a partial clone left out is the user's, too
		if v.brings[string(id)] {
			hits[string(id)] = true
		}
	})
	if err != nil {
		return nil, fmt.Errorf("compare fetched objects with your own history: %w", err)
	}
	return hits, nil
}

// reached takes off ids what our own refs reach.
func (v *Verifier) reached(ids map[string]bool) error {
	own, err := v.s.memoryRefs(v.ctx)
	if err != nil {
		return err
	}
	here, err := v.s.backup.Reached(v.ctx, v.s.repo.Git, own, nil)
	if err != nil {
		return fmt.Errorf("list local objects: %w", err)
	}
	for _, id := range here {
		delete(ids, id)
	}
	return nil
}

// loggedIDs are the ids in the logs of the user's refs: what was amended or reset away is
// theirs, too.
func (g *Gate) loggedIDs() []string {
	ids := map[string]bool{}
	for _, root := range g.repo.GitDirs() {
		ours := filepath.Join(root, "logs", "refs", "sage") + string(filepath.Separator)
		for _, file := range fsx.FilesBelow(filepath.Join(root, "logs")) {
			if strings.HasPrefix(file, ours) {
				continue
			}
			b, _ := fsx.ReadOwn(file)
			for l := range bytes.Lines(b) {
				for _, id := range bytes.Fields(l[:min(len(l), 2*len(g.repo.Objects.Zero())+1)]) { // <old> <new> <who>...
					ids[string(id)] = true
				}
			}
		}
	}
	delete(ids, g.repo.Objects.Zero())
	maps.DeleteFunc(ids, func(id string, _ bool) bool { return !g.repo.IsID(id) })
	return slices.Sorted(maps.Keys(ids))
}

// NotedIDs are the ids in what git notes for itself: ORIG_HEAD and its kin, what a merge,
// rebase or bisect is in the middle of, and the refs that are a work tree's own. What
// FETCH_HEAD has of our refs is not the user's.
func (g *Gate) NotedIDs() (out []string) {
	const most = 1 << 20 // bytes of a file
	n := len(g.repo.Objects.Zero())
	for _, dir := range g.repo.GitDirs() {
		var files []string
		list, _ := fsx.ReadDir(dir)
		for _, e := range list {
			if name := e.Name(); strings.HasSuffix(name, "_HEAD") || name == "AUTO_MERGE" || name == "MERGE_AUTOSTASH" {
				files = append(files, filepath.Join(dir, name))
			}
		}
		for _, sub := range []string{"rebase-merge", "rebase-apply", "sequencer", "refs/bisect", "refs/rewritten", "refs/worktree"} {
			files = append(files, fsx.FilesBelow(filepath.Join(dir, filepath.FromSlash(sub)))...)
		}
		for _, file := range files {
			b, _ := fsx.ReadOwn(file)
			for l := range bytes.Lines(b[:min(len(b), most)]) {
				if bytes.Contains(l, []byte("'refs/sage/")) {
					continue
				}
				for _, id := range bytes.FieldsFunc(l, func(r rune) bool { return !record.IsHex(string(r)) }) {
					if len(id) == n {
						out = append(out, string(id))
					}
				}
			}
		}
	}
	return out
}

// tableIDs are the ids in the logs of the user's refs where git keeps these in tables.
func (g *Gate) tableIDs(ctx context.Context) []string {
	if _, err := fsx.Lstat(filepath.Join(g.repo.Where.CommonDir, "reftable")); err != nil {
		return nil
	}
	out, _ := g.repo.Git.Run(ctx, "rev-list", "--walk-reflogs", "--exclude=refs/sage/*", "--all")
	return strings.Fields(string(out))
}

// borrowedIDs are the tips of the user's refs in the repositories that this one borrows
// objects from. What cannot be asked for them is passed over.
func (g *Gate) borrowedIDs(ctx context.Context) (out []string) {
	seen := map[string]bool{}
	for todo := []string{g.repo.Where.Objects}; len(todo) > 0; todo = todo[1:] {
		b, _ := fsx.ReadFile(filepath.Join(todo[0], "info", "alternates"))
		for l := range strings.Lines(string(b)) {
			dir := strings.TrimSpace(l)
			if dir == "" || strings.HasPrefix(dir, "#") {
				continue
			}
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(todo[0], dir)
			}
			if dir = filepath.Clean(dir); seen[dir] {
				continue
			}
			seen[dir] = true
			todo = append(todo, dir)
			refs, _ := g.repo.Git.Run(ctx, "--git-dir="+filepath.Dir(dir), "for-each-ref", "--format=%(objectname) %(refname)")
			for l := range strings.Lines(string(refs)) {
				if id, name, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " "); g.repo.IsID(id) && !strings.HasPrefix(name, "refs/sage/") {
					out = append(out, id)
				}
			}
		}
	}
	return out
}
