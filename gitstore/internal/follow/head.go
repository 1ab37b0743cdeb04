package follow

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/reflog"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

const headsOfUser = "refs/heads/"

// branches tells of git's branches what refs, logs and the files of a rebase tell.
type branches struct{ repo *repo.Repo }

// headBelongs is the branch that HEAD belongs to: the one that it is on; in a rebase or a
// bisect the one that these go back to; else the one that it was on last. "" is none that is
// known. detached says that HEAD is on no branch.
func (br *branches) headBelongs(ctx context.Context) (name string, detached bool) {
	name = discover.HeadBranch(ctx, br.repo.Git, br.repo.Where.GitDir)
	if detached = name == ""; detached {
		name = cmp.Or(br.branchUnderWork(), br.branchLeft(ctx))
	}
	if !branchName(name) {
		return "", detached
	}
	return name, detached
}

// maxNameFile bounds a file of git's that holds the name of a ref, in bytes.
const maxNameFile = 4 << 10

// readName reads such a file, whole: the beginning of a name is another branch.
func readName(file string) ([]byte, error) {
	b, whole, err := fsx.ReadEnd(file, maxNameFile)
	if err == nil && !whole {
		err = errors.New("too large for a name")
	}
	return b, err
}

// branchUnderWork is the branch that a rebase or a bisect goes back to.
func (br *branches) branchUnderWork() string {
	for _, file := range []string{"rebase-merge/head-name", "rebase-apply/head-name"} {
		b, err := readName(filepath.Join(br.repo.Where.GitDir, filepath.FromSlash(file)))
		if name, ok := strings.CutPrefix(git.Text(b), headsOfUser); ok && err == nil {
			return name
		}
	}
	b, err := readName(filepath.Join(br.repo.Where.GitDir, "BISECT_START"))
	if name := git.Text(b); err == nil && !record.IsHex(name) {
		return name
	}
	return ""
}

// branchLeft is the branch that HEAD was on before it was detached, as its log tells. One
// that is gone is none.
func (br *branches) branchLeft(ctx context.Context) string {
	entries := reflog.Tail(filepath.Join(br.repo.Where.GitDir, "logs", "HEAD"))
	for _, e := range slices.Backward(entries) {
		from, _, ok := strings.Cut(strings.TrimPrefix(e.Says, "checkout: moving from "), " to ")
		if !ok || !strings.HasPrefix(e.Says, "checkout: moving from ") || record.IsHex(from) {
			continue
		}
		if branches, err := br.gitBranches(ctx, from); err == nil && branches[from] != "" {
			return from
		}
	}
	return ""
}

// branchName reports whether a text can be the name of a branch, as far as it matters
// here: it becomes a part of a path, and is compared.
func branchName(name string) bool {
	bad := func(r rune) bool { return r < 0x20 || r == 0x7f || strings.ContainsRune(`\ ~^:?*[`, r) }
	return name != "" && len(name) <= 1000 && !strings.ContainsFunc(name, bad) && !strings.Contains(name, "..") &&
		!strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "-") && !strings.Contains(name, "/.") && !strings.HasPrefix(name, ".")
}

// isDefaultBranch reports whether a branch is the one that the others of its repository
// come from: main, master, or, where there is neither, what the remote called origin
// says. A clone of a teammate's folder says what is checked out there. Whoever made that
// branch had no origin yet, and so a line of its name: where that came first it stays.
func (br *branches) isDefaultBranch(ctx context.Context, branch string) bool {
	if branch == "main" || branch == "master" {
		return true
	}
	b, err := readName(filepath.Join(br.repo.Where.CommonDir, "refs", "remotes", "origin", "HEAD"))
	name, ok := strings.CutPrefix(git.Text(b), "ref: refs/remotes/origin/")
	if err != nil || !ok || name != branch {
		return false
	}
	refs, err := br.repo.Refs(ctx, "refs/heads/main", "refs/heads/master", "refs/remotes/origin/main", "refs/remotes/origin/master")
	if err != nil || len(refs) > 0 {
		return false
	}
	own := plainLine(branch)
	lines, err := br.repo.Refs(ctx, refname.HeadRef(refname.DefaultLine), refname.HeadRef(own))
	has := func(line string) bool {
		return slices.ContainsFunc(lines, func(r refname.Ref) bool { return r.Name == refname.HeadRef(line) })
	}
	return err == nil && !(own != "" && has(own) && !has(refname.DefaultLine))
}

// logHead is the first entry of a log.
func logHead(file string) (reflog.Entry, bool) {
	f, err := fsx.Open(file)
	if err != nil {
		return reflog.Entry{}, false
	}
	defer f.Close()
	b := make([]byte, 2<<10)
	n, _ := f.ReadAt(b, 0)
	first, _, _ := strings.Cut(string(b[:n]), "\n")
	return reflog.Parse(first)
}

func (br *branches) branchLog(branch string) string {
	return filepath.Join(br.repo.Where.CommonDir, "logs", "refs", "heads", filepath.FromSlash(branch))
}

// created says when and where a branch was made, "" if its log does not say. A log keeps
// that entry when the branch is renamed, and loses it by age at most.
func (br *branches) created(branch string) string {
	e, ok := logHead(br.branchLog(branch))
	if !ok || !strings.HasPrefix(e.Says, "branch: Created from") {
		return ""
	}
	return refname.Hash16(e.Stamp)
}

// formerNames are the names that a branch had before it was renamed, the latest first.
func (br *branches) formerNames(branch string) (out []string) {
	now := branch
	for _, e := range slices.Backward(reflog.Tail(br.branchLog(branch))) {
		rest, ok := strings.CutPrefix(e.Says, "Branch: renamed "+headsOfUser)
		old, to, ok2 := strings.Cut(rest, " to "+headsOfUser)
		if ok && ok2 && to == now && branchName(old) {
			out, now = append(out, old), old
		}
	}
	return out
}

// madeFrom is the branch from which a branch was made, "" if nobody knows.
func (br *branches) madeFrom(branch string) string {
	e, _ := logHead(br.branchLog(branch))
	from := strings.TrimPrefix(strings.TrimPrefix(e.Says, "branch: Created from "), headsOfUser)
	if from != e.Says && from != "HEAD" && branchName(from) {
		return strings.TrimPrefix(from, "refs/remotes/")
	}
	for _, l := range reflog.Tail(filepath.Join(br.repo.Where.GitDir, "logs", "HEAD")) {
		rest, ok := strings.CutPrefix(l.Says, "checkout: moving from ")
		if left, to, cut := strings.Cut(rest, " to "); ok && cut && to == branch && branchName(left) {
			return left
		}
	}
	return ""
}

// gitBranches are the local branches of the user's own, by name, with their commits: those
// of some names, or all. To read ten thousand takes 100 ms.
func (br *branches) gitBranches(ctx context.Context, names ...string) (map[string]string, error) {
	var want []string
	for _, name := range names {
		if branchName(name) {
			want = append(want, headsOfUser+name)
		}
	}
	out := map[string]string{}
	if len(names) > 0 && len(want) == 0 {
		return out, nil
	}
	if len(want) == 0 {
		want = []string{headsOfUser}
	}
	refs, err := br.repo.Refs(ctx, want...)
	for _, r := range refs {
		out[strings.TrimPrefix(r.Name, headsOfUser)] = r.ID
	}
	return out, err
}

// checkedOut are the branches that work trees are on, also those without a commit, of
// which there is no ref.
func (br *branches) checkedOut() (out []string) {
	dirs := []string{br.repo.Where.CommonDir}
	trees, _ := fsx.ReadDir(filepath.Join(br.repo.Where.CommonDir, "worktrees")) // else there are none
	for _, d := range trees {
		dirs = append(dirs, filepath.Join(br.repo.Where.CommonDir, "worktrees", d.Name()))
	}
	for _, dir := range dirs {
		b, err := readName(filepath.Join(dir, "HEAD"))
		if name, ok := strings.CutPrefix(git.Text(b), "ref: "+headsOfUser); ok && err == nil {
			out = append(out, name)
		}
	}
	return out
}
