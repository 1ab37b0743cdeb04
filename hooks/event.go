package hooks

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/internal/environ"
	"github.com/git-sage/git-sage/recall"
)

// Events of the client that Run knows.
const (
	SessionStart  = "session-start"  // a session begins, or goes on after a break or a summary
	SessionEnd    = "session-end"    // a session ends, or goes on as another one
	PreCompact    = "pre-compact"    // the client is about to summarise the conversation
	PostCompact   = "post-compact"   // the client has put a summary in the conversation's place
	CwdChanged    = "cwd-changed"    // the session goes on in another folder
	UserPrompt    = "user-prompt"    // somebody asks something
	PreToolUse    = "pre-tool-use"   // the agent is about to search, to change a file, to run a command
	PostToolUse   = "post-tool-use"  // a file was read or changed
	ToolFailure   = "tool-failure"   // a command failed
	Stop          = "stop"           // the agent has answered; what is worth saving waits for the next prompt
	SubagentStart = "subagent-start" // the agent sends out another one
	SubagentStop  = "subagent-stop"  // that one has answered; also fired by a compaction, for none

	// What no client knows: tasks for which nobody waits, and what the watcher's plugins
	// asked for.
	Closing    = autosave.Closing
	Recovering = autosave.Recovering
	Keeping    = autosave.Keeping
	Distilling = autosave.Distilling
	Watched    = "watched"
)

// Options are the world of a hook.
type Options struct {
	In   io.Reader // what the client says, as JSON
	Out  io.Writer // what it is told
	Err  io.Writer // a line about what could not be kept or noted; nil is nowhere
	Env  []string  // in the form of os.Environ
	Dir  string    // working directory, for when the client names none
	Home string    // the user-wide folder, for the log where there is no repository
	Now  func() time.Time

	Parent int // the process that started this one, the client unless there is a shell in between; 0 is not known

	// Open opens the memory at dir on behalf of a session.
	Open func(ctx context.Context, dir, session string) (*recall.Memory, error)

	// Elsewhere says that another entry of the client answers the event, too: then this
	// one keeps silent. nil is no.
	Elsewhere func(event string) bool
	// Server is the name by which the client knows our MCP server, as in the names of its
	// tools; nil is sage.
	Server func() string
	// Settings are asked when an event needs them; nil is none.
	Settings func(*recall.Memory) autosave.Settings

	// Later runs another event in a process of its own that nobody waits for; nil runs it
	// at once.
	Later func(event string, in []byte) error

	Slack  int           // how many times as long as usual things may take; 0 is 1
	Within time.Duration // Run returns before that; 0 is 2 s, or a minute where nobody waits
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// An event is an event at work.
type event struct {
	Options
	name  string
	input input
	mem   *recall.Memory
	agent *autosave.Agent
	back  *recall.Continuity // what the answer brings back; may be nil
	after []func()           // what is noted when the client has the answer
	cost  transcript.Cost    // of looking for secrets in what was said

	complained bool // of what could not be noted
	off        bool // nothing may be saved here
}

// agentOf is the agent that the event is about.
func (e *event) agentOf(m *recall.Memory) *autosave.Agent {
	return &autosave.Agent{
		World:  autosave.World{Env: e.Env, Home: e.Home, Now: e.now, Open: e.Open, Server: e.Server, Settings: e.Settings, Later: e.Later, Slack: e.Slack},
		Memory: m, Session: e.session(), Transcript: e.input.Transcript, Subagent: e.input.Agent != "",
		Dir: e.input.Dir, Cwd: e.Dir, Prompt: e.input.Prompt, Answer: e.input.Answer,
		Cost: &e.cost, Report: e.report,
	}
}

// state is what is remembered of the event's session.
func (e *event) state() session.State { return session.Of(e.mem.Store) }

// session is the session's id, from the event or else from the environment.
func (e *event) session() string {
	s := cmp.Or(e.input.Session, e.getenv("CLAUDE_CODE_SESSION_ID"))
	if len(s) > 200 { // no id, whatever it is
		return ""
	}
	return s
}

func (e *event) getenv(name string) string { return environ.Get(e.Env, name) }
