package gitstore

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// A Client is a program that runs an agent, as its hooks saw it last. A server that it
// started has in its environment the session of that moment; the client may be in
// another one by now, and in another work tree.
//
// It lies in the user's own folder and not beside a repository, since who asks wants to
// know which repository that is, on every call and without asking git. The name of the
// file is the process, so that the id of one that ended is not taken for another's.
type Client struct {
	Session  string   `json:"session"`
	Before   []string `json:"before,omitempty"`   // sessions that it had before, the latest last
	Worktree string   `json:"worktree,omitempty"` // the top of the work tree where it is; "" is not known
	Common   string   `json:"common,omitempty"`   // the git directory of the repository that it began in
}

const (
	mostBefore    = 20 // sessions: each is one '/clear'
	mostAncestors = 8  // wrappers between a client and its server: a shell, a runner of packages, a version manager
	keepClients   = 30 * 24 * time.Hour
)

// NoteClient notes which session the client with a process id has now, in the folder of
// its user, and where: worktree and common are [Store.Top] and [Store.CommonDir]. A
// client stays in the repository in which it began; within that it may change the work
// tree. Where the system does not tell when a process began nothing is noted.
func NoteClient(home string, pid int, session, worktree, common string) error {
	file := clientFile(home, pid)
	if file == "" || session == "" {
		return nil
	}
	was, known := readClient(file)
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
		forgetClients(filepath.Dir(file))
	}
	return keepClient(file, now)
}

func (c Client) same(o Client) bool {
	return c.Session == o.Session && c.Worktree == o.Worktree && c.Common == o.Common
}

func keepClient(file string, c Client) error {
	b, err := json.Marshal(c)
	if err == nil {
		err = fsx.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = fsx.WriteDerived(file, append(b, '\n'), 0o600)
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
	pid := os.Getppid()
	for n := 0; n < mostAncestors && pid > 1; n++ {
		c, ok = readClient(clientFile(home, pid))
		if ok && (n == 0 || c.Session == session || slices.Contains(c.Before, session)) {
			return c, true
		}
		pid = fsx.Parent(pid)
	}
	return Client{}, false
}

// HasClient reports whether a client that still runs was noted to have a session.
func HasClient(home, session string) bool {
	dir := clientsDir(home)
	list, _ := fsx.ReadDir(dir) // else none was noted
	for _, e := range list {
		id, started, _ := strings.Cut(e.Name(), "-")
		pid, err := strconv.Atoi(id)
		if c, ok := readClient(filepath.Join(dir, e.Name())); ok && err == nil && c.Session == session && !fsx.Ended(pid, started) {
			return true
		}
	}
	return false
}

// clientFile is where a client is noted, "" if there is no such process.
func clientFile(home string, pid int) string {
	if home == "" {
		return ""
	}
	return runFile(clientsDir(home), pid)
}

func readClient(file string) (c Client, ok bool) {
	if file == "" {
		return c, false
	}
	b, err := fsx.ReadOwn(file)
	if err != nil || json.Unmarshal(b, &c) != nil || c.Session == "" || c.Worktree != "" && !filepath.IsAbs(c.Worktree) {
		return Client{}, false
	}
	return c, true
}

// forgetClients removes what is noted of clients that ended. Of those of another machine
// or container nobody here can tell: they go when nothing was noted for a month.
func forgetClients(dir string) {
	list, _ := fsx.ReadDir(dir)
	for _, e := range list {
		id, started, _ := strings.Cut(e.Name(), "-")
		pid, err := strconv.Atoi(id)
		st, serr := e.Info()
		if err == nil && fsx.Ended(pid, started) || serr == nil && time.Since(st.ModTime()) > keepClients {
			_ = fsx.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
