package session

import (
	"fmt"
	"os"

	"github.com/git-sage/git-sage/gitstore/runs"
)

// NoteServer notes, in the folder of its user, that this process serves a session: it
// lives as long as the client that started it, which nobody notes where there are no
// hooks. forget takes the note away; that of a server that was killed says nothing.
func NoteServer(home, session string) (forget func(), err error) {
	if home == "" || session == "" {
		return func() {}, nil
	}
	dir, err := servers(home)
	if err != nil {
		return func() {}, fmt.Errorf("note the session of the client: %w", err)
	}
	dir.Tidy()
	if err := (Client{Session: session}).keep(dir, os.Getpid()); err != nil {
		return func() {}, err
	}
	return func() { dir.Forget(os.Getpid()) }, nil
}

// Live are the sessions that a client or a server that still runs was noted to have.
func Live(home string) (map[string]bool, error) {
	live := map[string]bool{}
	for _, folder := range []func(string) (runs.Folder, error){clients, servers} {
		dir, err := folder(home)
		if err != nil {
			return nil, fmt.Errorf("look for clients: %w", err)
		}
		notes, err := dir.Live()
		if err != nil && !os.IsNotExist(err) {
			return nil, fmt.Errorf("look for clients: %w", err)
		}
		for _, b := range notes {
			if c, ok := parseClient(b); ok {
				live[c.Session] = true
			}
		}
	}
	return live, nil
}
