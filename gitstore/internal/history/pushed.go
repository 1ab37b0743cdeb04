package history

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
	"github.com/git-sage/git-sage/gitstore/internal/reflog"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// What a remote has of ours is known here from, in this order:
//
//  1. refs that track it: refs/sage/remotes/, or refs/remotes/<remote>/sage/ where a
//     refspec takes in all refs
//  2. FETCH_HEAD, which has what was fetched last, tracked or not
//  3. a remote whose configuration pushes our refs with the user's, if the log of one of
//     its branches says that something was pushed since
//
// git writes down nothing of another push: 'git push <remote> refs/sage/heads/main'
// without a refspec that tracks it cannot be seen without asking the remote.

// fetchedHead is a line of FETCH_HEAD: <id> <tab> [not-for-merge] <tab> '<ref>' of <remote>.
var fetchedHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^([0-9a-f]+)\t[^\t]*\t'(refs/sage/[^']+)' of `) })

// remoteRefs are the refs that remotes have by 1 and 2; of FETCH_HEAD by their own names.
func (hist *History) remoteRefs(ctx context.Context) (tracked, fetched []refname.Ref, err error) {
	refs, err := hist.repo.Refs(ctx, refname.RemotePrefix, "refs/remotes/")
	if err != nil {
		return nil, nil, err
	}
	for _, r := range refs {
		if strings.HasPrefix(r.Name, refname.RemotePrefix) || strings.Contains(r.Name, "/sage/") {
			tracked = append(tracked, r)
		}
	}
	for _, dir := range hist.repo.GitDirs() {
		b, _, err := fsx.ReadEnd(filepath.Join(dir, "FETCH_HEAD"), maxFetchHead)
		if err != nil {
			continue
		}
		for _, m := range fetchedHead().FindAllSubmatch(b, -1) {
			fetched = append(fetched, refname.Ref{Name: string(m[2]), ID: string(m[1])})
		}
	}
	return tracked, fetched, nil
}

const maxFetchHead = 1 << 20 // bytes

// NamedByRemote is where a remote has a name below refs/sage/, such as tags/v1, for a commit,
// or "" for any; "" is nowhere.
func (hist *History) NamedByRemote(ctx context.Context, name, id string) (where string, err error) {
	tracked, fetched, err := hist.remoteRefs(ctx)
	for _, r := range slices.Concat(tracked, fetched) {
		if strings.HasSuffix(r.Name, "/"+name) && (id == "" || r.ID == id) {
			return shownRemote(r.Name), nil
		}
	}
	return "", err
}

// HeldByRemote is where a remote has a commit, or what continues it, as far as is known
// here; "" is nowhere. since is when ref came to it.
func (hist *History) HeldByRemote(ctx context.Context, ref, id string, since time.Time) (where string, err error) {
	out, err := hist.repo.Git.Run(ctx, "for-each-ref", "--count=1", "--contains="+id, "--format=%(refname)", refname.RemotePrefix, "refs/remotes/**/sage/**")
	if err != nil || len(out) > 0 {
		return shownRemote(git.Text(out)), err
	}
	_, fetched, err := hist.remoteRefs(ctx)
	if err != nil {
		return "", err
	}
	for _, r := range fetched {
		if r.ID == id || hist.commits.IsAncestor(ctx, id, r.ID) {
			return shownRemote(r.Name), nil
		}
	}
	return hist.pushedByConfig(ctx, ref, since)
}

// shownRemote is a ref of a remote's as a person reads it.
func shownRemote(name string) string {
	switch {
	case strings.HasPrefix(name, refname.RemotePrefix):
		return refname.ShortRef(name)
	case strings.HasPrefix(name, "refs/sage/"):
		return "FETCH_HEAD has '" + refname.ShortRef(name) + "'"
	}
	return strings.TrimPrefix(name, "refs/")
}

// pushedByConfig names the remote to which a push without a refspec sends ref, if
// something was pushed there since.
func (hist *History) pushedByConfig(ctx context.Context, ref string, since time.Time) (string, error) {
	out, err := hist.repo.Git.Run(ctx, "config", "-z", "--get-regexp", `^remote\..*\.(push|mirror)$`)
	if err != nil { // there is none
		return "", nil
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		remote, part, _ := gitconfig.CutLast(strings.TrimPrefix(key, "remote."), ".")
		src, _, _ := strings.Cut(strings.TrimPrefix(value, "+"), ":")
		if part == "push" && takesIn(src, ref) || part == "mirror" && !backup.IsFalse(value) {
			if hist.pushedSince(remote, since) {
				return "'git push " + remote + "' sends it", nil
			}
		}
	}
	return "", nil
}

// takesIn reports whether a side of a refspec means ref.
func takesIn(side, ref string) bool {
	stem, end, pattern := strings.Cut(side, "*")
	return side == ref || pattern && strings.HasPrefix(ref, stem) && strings.HasSuffix(ref, end)
}

// pushedSince reports whether the log of a remote's branch says that it was pushed then.
// Such a log knows seconds.
func (hist *History) pushedSince(remote string, since time.Time) bool {
	for _, f := range fsx.FilesBelow(filepath.Join(hist.repo.Where.CommonDir, "logs", "refs", "remotes", filepath.FromSlash(remote))) {
		for _, e := range reflog.Tail(f) {
			if e.Says == "update by push" && !reflog.At(e.Stamp).Before(since.Truncate(time.Second)) {
				return true
			}
		}
	}
	return false
}
