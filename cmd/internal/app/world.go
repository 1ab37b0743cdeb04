package app

import (
	"path/filepath"

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
