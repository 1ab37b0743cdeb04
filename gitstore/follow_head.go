package gitstore

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

const headsOfUser = "refs/heads/"

// headBelongs is the branch that HEAD belongs to: the one that it is on; in a rebase or a
// bisect the one that these go back to; else, when it is detached, the one that it was on
// last. "" is none that is known.
func (s *Store) headBelongs(ctx context.Context) string {
	name := headBranch(ctx, s.git, s.where.gitDir)
	if name == "" {
		name = s.branchUnderWork()
	}
	if name == "" {
		name = s.branchLeft(ctx)
	}
	if !branchName(name) {
		return ""
	}
	return name
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
func (s *Store) branchUnderWork() string {
	for _, file := range []string{"rebase-merge/head-name", "rebase-apply/head-name"} {
		b, err := readName(filepath.Join(s.where.gitDir, filepath.FromSlash(file)))
		if name, ok := strings.CutPrefix(text(b), headsOfUser); ok && err == nil {
			return name
		}
	}
	b, err := readName(filepath.Join(s.where.gitDir, "BISECT_START"))
	if name := text(b); err == nil && !isHex(name) {
		return name
	}
	return ""
}

// branchLeft is the branch that HEAD was on before it was detached, as its log tells. One
// that is gone is none.
func (s *Store) branchLeft(ctx context.Context) string {
	entries := logTail(filepath.Join(s.where.gitDir, "logs", "HEAD"))
	for _, e := range slices.Backward(entries) {
		from, _, ok := strings.Cut(strings.TrimPrefix(e.says, "checkout: moving from "), " to ")
		if !ok || !strings.HasPrefix(e.says, "checkout: moving from ") || isHex(from) {
			continue
		}
		if branches, err := s.gitBranches(ctx, from); err == nil && branches[from] != "" {
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
// says. A clone of a teammate's folder says what is checked out there.
func (s *Store) isDefaultBranch(ctx context.Context, branch string) bool {
	if branch == "main" || branch == "master" {
		return true
	}
	b, err := readName(filepath.Join(s.where.commonDir, "refs", "remotes", "origin", "HEAD"))
	name, ok := strings.CutPrefix(text(b), "ref: refs/remotes/origin/")
	if err != nil || !ok || name != branch {
		return false
	}
	refs, err := s.refs(ctx, "refs/heads/main", "refs/heads/master", "refs/remotes/origin/main", "refs/remotes/origin/master")
	return err == nil && len(refs) == 0
}

// A logEntry is an entry of one of git's logs of a ref.
type logEntry struct {
	id, says string // what the ref became, and why
	stamp    string // the whole of it but says
}

// logEnds bounds what is read of the beginning or the end of a log, in bytes: some 80
// entries.
const logEnds = 16 << 10

// logTail are the last entries of a log. One that cannot be read has none: refs in a
// table, core.logAllRefUpdates=false.
func logTail(file string) (out []logEntry) {
	b, whole, err := fsx.ReadEnd(file, logEnds)
	if err != nil {
		return nil
	}
	for i, l := range strings.Split(text(b), "\n") {
		if e, ok := parseLogged(l); ok && (i > 0 || whole) {
			out = append(out, e)
		}
	}
	return out
}

// logHead is the first entry of a log.
func logHead(file string) (logEntry, bool) {
	f, err := fsx.Open(file)
	if err != nil {
		return logEntry{}, false
	}
	defer f.Close()
	b := make([]byte, 2<<10)
	n, _ := f.ReadAt(b, 0)
	first, _, _ := strings.Cut(string(b[:n]), "\n")
	return parseLogged(first)
}

// parseLogged reads `<old> <new> <who> <time> <zone>\t<why>`.
func parseLogged(line string) (e logEntry, ok bool) {
	head, says, ok := strings.Cut(line, "\t")
	f := strings.SplitN(head, " ", 3)
	if !ok || len(f) != 3 || !isHex(f[0]) || !isHex(f[1]) {
		return e, false
	}
	return logEntry{id: f[1], says: says, stamp: head}, true
}

func (s *Store) branchLog(branch string) string {
	return filepath.Join(s.where.commonDir, "logs", "refs", "heads", filepath.FromSlash(branch))
}

// created says when and where a branch was made, "" if its log does not say. A log keeps
// that entry when the branch is renamed, and loses it by age at most.
func (s *Store) created(branch string) string {
	e, ok := logHead(s.branchLog(branch))
	if !ok || !strings.HasPrefix(e.says, "branch: Created from") {
		return ""
	}
	return hash16(e.stamp)
}

// formerNames are the names that a branch had before it was renamed, the latest first.
func (s *Store) formerNames(branch string) (out []string) {
	now := branch
	for _, e := range slices.Backward(logTail(s.branchLog(branch))) {
		rest, ok := strings.CutPrefix(e.says, "Branch: renamed "+headsOfUser)
		old, to, ok2 := strings.Cut(rest, " to "+headsOfUser)
		if ok && ok2 && to == now && branchName(old) {
			out, now = append(out, old), old
		}
	}
	return out
}

// madeFrom is the branch from which a branch was made, "" if nobody knows.
func (s *Store) madeFrom(branch string) string {
	e, _ := logHead(s.branchLog(branch))
	from := strings.TrimPrefix(strings.TrimPrefix(e.says, "branch: Created from "), headsOfUser)
	if from != e.says && from != "HEAD" && branchName(from) {
		return strings.TrimPrefix(from, "refs/remotes/")
	}
	for _, l := range logTail(filepath.Join(s.where.gitDir, "logs", "HEAD")) {
		rest, ok := strings.CutPrefix(l.says, "checkout: moving from ")
		if left, to, cut := strings.Cut(rest, " to "); ok && cut && to == branch && branchName(left) {
			return left
		}
	}
	return ""
}
