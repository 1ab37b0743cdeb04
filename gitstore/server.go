package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// NoteServer notes, in the folder of its user, that this process serves a session: it
// lives as long as the client that started it, which nobody notes where there are no
// hooks. forget takes the note away; that of a server that was killed says nothing.
func NoteServer(home, session string) (forget func(), err error) {
	file := runFile(serversDir(home), os.Getpid())
	if home == "" || file == "" || session == "" {
		return func() {}, nil
	}
	forgetClients(filepath.Dir(file))
	if err := keepClient(file, Client{Session: session}); err != nil {
		return func() {}, err
	}
	return func() { _ = fsx.Remove(file) }, nil
}

// LiveSessions are the sessions that a client or a server that still runs was noted to
// have.
func LiveSessions(home string) (map[string]bool, error) {
	live := map[string]bool{}
	for _, dir := range []string{clientsDir(home), serversDir(home)} {
		list, err := fsx.ReadDir(dir)
		if err != nil && !os.IsNotExist(err) {
			return nil, fmt.Errorf("look for clients: %w", err)
		}
		for _, e := range list {
			id, run, _ := strings.Cut(e.Name(), "-")
			pid, err := strconv.Atoi(id)
			if err != nil || fsx.Ended(pid, run) {
				continue
			}
			if c, ok := readClient(filepath.Join(dir, e.Name())); ok {
				live[c.Session] = true
			}
		}
	}
	return live, nil
}

func clientsDir(home string) string { return filepath.Join(home, "run", "clients") }
func serversDir(home string) string { return filepath.Join(home, "run", "servers") }

// runFile is where in a folder a process is noted, "" if there is no such process.
func runFile(dir string, pid int) string {
	run := fsx.Started(pid)
	if pid <= 1 || run == "" {
		return ""
	}
	return filepath.Join(dir, strconv.Itoa(pid)+"-"+run)
}
