package hooks

import (
	"context"
	"strconv"

	"github.com/git-sage/git-sage/hooks/session"
)

// noteClient tells the servers of this client which session it has now, and where: what
// they have in their environment is the session of the moment at which they began.
func (e *event) noteClient() {
	pid, err := strconv.Atoi(e.getenv("CLAUDE_PID"))
	if err != nil && e.getenv("CLAUDECODE") != "" { // 2.1.197 has no such variable
		pid = e.Parent
	}
	s := e.mem.Store
	e.report(session.NoteClient(e.Home, pid, e.session(), s.Repo.Top(), s.Repo.CommonDir()))
}

// cwdChanged notes where the session goes on.
func (e *event) cwdChanged(context.Context) (string, error) {
	e.noteClient()
	return "", nil
}
