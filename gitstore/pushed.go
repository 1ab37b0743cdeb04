package gitstore

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
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
func (s *Store) remoteRefs(ctx context.Context) (tracked, fetched []ref, err error) {
	refs, err := s.refs(ctx, remotePrefix, "refs/remotes/")
	if err != nil {
		return nil, nil, err
	}
	for _, r := range refs {
		if strings.HasPrefix(r.name, remotePrefix) || strings.Contains(r.name, "/sage/") {
			tracked = append(tracked, r)
		}
	}
	for _, dir := range s.gitDirs() {
		b, _, err := fsx.ReadEnd(filepath.Join(dir, "FETCH_HEAD"), maxFetchHead)
		if err != nil {
			continue
		}
		for _, m := range fetchedHead().FindAllSubmatch(b, -1) {
			fetched = append(fetched, ref{string(m[2]), string(m[1])})
		}
	}
	return tracked, fetched, nil
}

const maxFetchHead = 1 << 20 // bytes

// namedByRemote is where a remote has a name below refs/sage/, such as tags/v1; "" is nowhere.
func (s *Store) namedByRemote(ctx context.Context, name string) (where string, err error) {
	tracked, fetched, err := s.remoteRefs(ctx)
	for _, r := range slices.Concat(tracked, fetched) {
		if strings.HasSuffix(r.name, "/"+name) {
			return shownRemote(r.name), nil
		}
	}
	return "", err
}

// heldByRemote is where a remote has a commit, or what continues it, as far as is known
// here; "" is nowhere. since is when ref came to it.
func (s *Store) heldByRemote(ctx context.Context, ref, id string, since time.Time) (where string, err error) {
	out, err := s.git.Run(ctx, "for-each-ref", "--count=1", "--contains="+id, "--format=%(refname)", remotePrefix, "refs/remotes/**/sage/**")
	if err != nil || len(out) > 0 {
		return shownRemote(text(out)), err
	}
	_, fetched, err := s.remoteRefs(ctx)
	if err != nil {
		return "", err
	}
	for _, r := range fetched {
		if r.id == id || s.isAncestor(ctx, id, r.id) {
			return shownRemote(r.name), nil
		}
	}
	return s.pushedByConfig(ctx, ref, since)
}

// shownRemote is a ref of a remote's as a person reads it.
func shownRemote(name string) string {
	switch {
	case strings.HasPrefix(name, remotePrefix):
		return shortRef(name)
	case strings.HasPrefix(name, "refs/sage/"):
		return "FETCH_HEAD has '" + shortRef(name) + "'"
	}
	return strings.TrimPrefix(name, "refs/")
}

// pushedByConfig names the remote to which a push without a refspec sends ref, if
// something was pushed there since.
func (s *Store) pushedByConfig(ctx context.Context, ref string, since time.Time) (string, error) {
	out, err := s.git.Run(ctx, "config", "-z", "--get-regexp", `^remote\..*\.(push|mirror)$`)
	if err != nil { // there is none
		return "", nil
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		remote, part, _ := cutLast(strings.TrimPrefix(key, "remote."), ".")
		src, _, _ := strings.Cut(strings.TrimPrefix(value, "+"), ":")
		if part == "push" && takesIn(src, ref) || part == "mirror" && !isFalse(value) {
			if s.pushedSince(remote, since) {
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
func (s *Store) pushedSince(remote string, since time.Time) bool {
	for _, f := range filesBelow(filepath.Join(s.where.commonDir, "logs", "refs", "remotes", filepath.FromSlash(remote))) {
		for _, e := range logTail(f) {
			if e.says == "update by push" && !loggedAt(e.stamp).Before(since.Truncate(time.Second)) {
				return true
			}
		}
	}
	return false
}
