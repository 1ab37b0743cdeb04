package autosave

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
	"github.com/git-sage/git-sage/internal/environ"
	"github.com/git-sage/git-sage/recall"
)

// A World is what is around a session.
type World struct {
	Env  []string // in the form of os.Environ
	Home string   // the user-wide folder
	Now  func() time.Time

	// Open opens the memory at dir on behalf of a session.
	Open func(ctx context.Context, dir, session string) (*recall.Memory, error)
	// Server is the name by which the client knows our MCP server; nil is sage.
	Server func() string
	// Settings are asked when they are needed; nil is none.
	Settings func(*recall.Memory) Settings
	// Later runs a task in a process of its own that nobody waits for; nil runs it at once.
	Later func(task string, in []byte) error
	// Slack is how many times as long as usual things may take, on a machine that is busy
	// with others; 0 is 1.
	Slack int
}

// within is how long something may take.
func (w World) within(usual time.Duration) time.Duration {
	return usual * time.Duration(max(1, w.Slack))
}

// An Agent is an agent in its session, as an event of its client finds it.
type Agent struct {
	World
	Memory     *recall.Memory // on behalf of the session
	Session    string         // its id
	Transcript string         // that the client names; "" is none
	Subagent   bool           // another agent sent it out
	Dir        string         // where the client says that it is
	Cwd        string         // for when Dir is gone
	Prompt     string         // what the person asks
	Answer     string         // what the agent said last, which the transcript may lack

	Cost   *transcript.Cost // of looking for secrets in what was said
	Report func(error)      // takes what went wrong, which nobody is told
}

// state is what is remembered of the session.
func (a *Agent) state() session.State { return session.Of(a.Memory.Store) }

func (a *Agent) now() time.Time {
	if a.Now == nil {
		return time.Now()
	}
	return a.Now()
}

// File is the path of the session's transcript, "" if the client names none that is one.
func (a *Agent) File() string {
	st, err := os.Lstat(a.Transcript)
	if err != nil || !st.Mode().IsRegular() || !sessions.IsPath(a.Transcript) || a.Session == "" || a.Subagent {
		return ""
	}
	return a.Transcript
}

// Attended reports whether a person sits in front of the session. Of one that a program
// runs (claude -p, an SDK, CI) the answer is what the program reads, and nothing of ours
// may change it.
func (a *Agent) Attended() bool {
	if ci := a.getenv("CI"); ci != "" && ci != "0" && !strings.EqualFold(ci, "false") {
		return false
	}
	if at := a.getenv("CLAUDE_CODE_SESSION_ATTENDED"); at != "" { // hooks have it, servers do not
		return at == "1"
	}
	switch from := a.getenv("CLAUDE_CODE_ENTRYPOINT"); from {
	case "", "cli", "claude-vscode", "claude-desktop":
		return true
	}
	return false
}

// Asks reports whether the person wants to be asked, and can be.
func (a *Agent) Asks() bool { return a.settings().Autosave == "ask" && a.Attended() }

// Clean is the beginning of what somebody said, without secrets.
func (a *Agent) Clean(text string, most int) (string, error) {
	began := time.Now()
	out, found, err := a.Memory.Store.Session.Redactor().Head(text, most)
	a.Cost.Add(min(len(text), most), time.Since(began), found)
	return out, err
}

// getenv is an environment variable of the client.
func (w World) getenv(name string) string { return environ.Get(w.Env, name) }

// Folder is the first of some paths that is a folder, otherwise if none is.
func Folder(otherwise string, paths ...string) string {
	for _, dir := range paths {
		if st, err := os.Stat(dir); err == nil && st.IsDir() && filepath.IsAbs(dir) {
			return dir
		}
	}
	return otherwise
}
