package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-sage/git-sage/gitstore/runs"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Client is a program that runs an agent, as its hooks saw it last. A server that it
// started has in its environment the session of that moment; the client may be in
// another one by now, and in another work tree.
//
// It lies in the user's own folder and not beside a repository, since who asks wants to
// know which repository that is, on every call and without asking git. The name of the
// file is the process, see [runs.Folder].
type Client struct {
	Session  string   `json:"session"`
	Before   []string `json:"before,omitempty"`   // sessions that it had before, the latest last
	Worktree string   `json:"worktree,omitempty"` // the top of the work tree where it is; "" is not known
	Common   string   `json:"common,omitempty"`   // the git directory of the repository that it began in
}

const (
	mostBefore    = 20 // sessions: each is one '/clear'
	mostAncestors = 8  // wrappers between a client and its server: a shell, a runner of packages, a version manager
)

// NoteClient notes which session the client with a process id has now, in the folder of
// its user, and where: worktree and common are [gitstore.Store.Repo].Top and
// [gitstore.Store.Repo].CommonDir. A client stays in the repository in which it began; within
// that it may change the work tree. Where the system does not tell when a process began
// nothing is noted.
func NoteClient(home string, pid int, session, worktree, common string) error {
	if home == "" || session == "" {
		return nil
	}
	dir, err := clients(home)
	if err != nil {
		return fmt.Errorf("note the session of the client: %w", err)
	}
	was, known := parseClient(dir.Read(pid))
	now := was
	if known && was.Session != session {
		now.Before = append(slices.Clone(was.Before), was.Session)
		now.Before = now.Before[max(0, len(now.Before)-mostBefore):]
	}
	now.Session = session
	if worktree != "" && (was.Common == "" || was.Common == common) {
		now.Worktree, now.Common = worktree, common
	}
	if known && was.same(now) {
		return nil
	}
	if !known {
		dir.Tidy()
	}
	return now.keep(dir, pid)
}

func (c Client) same(o Client) bool {
	return c.Session == o.Session && c.Worktree == o.Worktree && c.Common == o.Common
}

func (c Client) keep(dir runs.Folder, pid int) error {
	b, err := json.Marshal(c)
	if err == nil {
		err = dir.Note(pid, append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("note the session of the client: %w", err)
	}
	return nil
}

// FindClient is the client that started this process, as its hooks noted it in the
// folder of its user; ok is false if none did. session is that of the environment, ""
// if it has none.
//
// What started this process may be a wrapper. So those above it are asked as well, where
// the system tells of them; but there may be another client, in whose shell that of this
// process was started, and which is another conversation: there the session must be one
// that it has or had.
func FindClient(home, session string) (c Client, ok bool) {
	if home == "" {
		return Client{}, false
	}
	dir, _ := clients(home) // else none did
	pid := os.Getppid()
	for n := 0; n < mostAncestors && pid > 1; n++ {
		c, ok = parseClient(dir.Read(pid))
		if ok && (n == 0 || c.Session == session || slices.Contains(c.Before, session)) {
			return c, true
		}
		pid = runs.Parent(pid)
	}
	return Client{}, false
}

// HasClient reports whether a client that still runs was noted to have a session.
func HasClient(home, session string) bool {
	dir, _ := clients(home)
	live, _ := dir.Live() // else none was noted
	return slices.ContainsFunc(live, func(b []byte) bool {
		c, ok := parseClient(b)
		return ok && c.Session == session
	})
}

func clients(home string) (runs.Folder, error) { return folder(home, "clients") }

func servers(home string) (runs.Folder, error) { return folder(home, "servers") }

// folder is one of those below run. Where a link leads elsewhere nobody is noted.
func folder(home, name string) (runs.Folder, error) {
	dir := filepath.Join(home, "run", name)
	if err := plainfile.CheckFolder(home, dir); errors.Is(err, plainfile.ErrOther) {
		return "", err
	}
	return runs.Folder(dir), nil
}

func parseClient(b []byte) (c Client, ok bool) {
	if json.Unmarshal(b, &c) != nil || c.Session == "" || c.Worktree != "" && !filepath.IsAbs(c.Worktree) {
		return Client{}, false
	}
	return c, true
}
