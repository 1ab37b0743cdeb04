package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/internal/environ"
)

// sessionIn is the session of an agent that a command acts for, from the variable of
// ours, or else from that which Claude Code gives to the commands that it runs, and
// the agent, as far as that is known.
func sessionIn(env []string) (session, agent string) {
	session = environ.Get(env, "SAGE_SESSION")
	if session == "" {
		session = environ.Get(env, "CLAUDE_CODE_SESSION_ID")
	}
	if session != "" && environ.Get(env, "CLAUDECODE") != "" {
		agent = "claude-code"
	}
	return session, agent
}

// IsPerson reports whether a person types the command: nobody who has a session, and none
// of the agents that say so to what they run. What an agent hides from its commands
// nobody can tell.
func (a *App) IsPerson() bool {
	for _, name := range []string{
		"SAGE_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDECODE", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI", "CURSOR_AGENT", "OPENCODE", "AI_AGENT",
	} {
		if a.Getenv(name) != "" {
			return false
		}
	}
	return true
}

// homeIn is the user-wide folder: $SAGE_HOME, or .sage in the home folder.
func homeIn(env []string) string {
	if h := environ.Get(env, "SAGE_HOME"); h != "" {
		return h
	}
	if h := environ.Home(env); h != "" {
		return filepath.Join(h, ".sage")
	}
	return ""
}

// Program is the path of this program; "" if nobody knows it.
func Program() string {
	if path, err := os.Executable(); err == nil {
		return path
	}
	return onPath(os.Args[0])
}

// onPath is the path by which git-sage was called: where Linux has no /proc, in a container
// or a chroot, it is found as git and the shell found it. What was called by another name
// is not looked for, since that name may be another program's.
func onPath(called string) string {
	if strings.TrimSuffix(filepath.Base(called), ".exe") != "git-sage" {
		return ""
	}
	path, err := exec.LookPath(called)
	if err != nil {
		return ""
	}
	if path, err = filepath.Abs(path); err != nil {
		return ""
	}
	return path
}
