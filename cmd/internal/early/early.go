// Package early opens the store that the command will most likely want, while the
// packages that come behind it are still being made ready: those that render
// templates and speak to agents need a millisecond for it, which is as long as it
// takes to find a repository and to read its configuration and refs. On two
// processors a list of 20 takes 6.4 ms and not 7.1, and a save 0.7 ms less (medians
// of pairs in turn).
//
// It imports little, so that its own turn comes soon: Go makes packages ready in the
// order of their paths, each behind those that it imports. Nothing is written, and
// no test depends on it: who asks for anything else than what was begun gets that.
package early

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// process is what was begun for this process, nil if nothing was.
var process = start()

func start() *opening {
	o, ok := Options(os.Environ(), os.Args[1:])
	if !ok {
		return nil
	}
	o.Dir, _ = os.Getwd()
	return begin(o)
}

// An opening is a store that is being opened. It is taken at most once.
type opening struct {
	with   gitstore.Options
	cancel context.CancelFunc
	done   chan struct{}
	taken  atomic.Bool
	now    atomic.Pointer[func() time.Time] // the clock of who took it; nil is that of the system
	store  *gitstore.Store                  // nil if err says why, or somebody else shall see
	err    error
}

func begin(o gitstore.Options) *opening {
	ctx, cancel := context.WithCancel(context.Background())
	b := &opening{with: o, cancel: cancel, done: make(chan struct{})}
	o.Now = b.clock
	go func() {
		defer close(b.done)
		defer func() { _ = recover() }() // who waits meets it again, and can say so
		b.store, b.err = open(ctx, o)
	}()
	return b
}

func (b *opening) clock() time.Time {
	if now := b.now.Load(); now != nil {
		return (*now)()
	}
	return time.Now()
}

// Open is gitstore.Open for a person who has rules of redaction at home. The store
// that this process began to open is returned if it is the one that is asked for.
func Open(ctx context.Context, o gitstore.Options) (*gitstore.Store, error) {
	if s, err := process.take(ctx, o); s != nil || err != nil {
		return s, err
	}
	return open(ctx, o)
}

func open(ctx context.Context, o gitstore.Options) (*gitstore.Store, error) {
	r, err := Redactor(o.Home)
	if err != nil {
		return nil, err
	}
	o.Redact = r
	return gitstore.Open(ctx, o)
}

// take returns the store, or neither that nor an error if it is another one, or
// was taken. What ends ctx ends what is still under way for the store.
func (b *opening) take(ctx context.Context, o gitstore.Options) (*gitstore.Store, error) {
	if b == nil || !same(b.with, o) || b.taken.Swap(true) {
		return nil, nil
	}
	if o.Now != nil {
		b.now.Store(&o.Now)
	}
	context.AfterFunc(ctx, b.cancel)
	<-b.done
	return b.store, b.err
}

// same reports whether both open the same store on behalf of the same person. The
// clock is not compared: the store goes by that of who takes it.
func same(a, b gitstore.Options) bool {
	return a.Dir == b.Dir && a.Home == b.Home && a.Folder == b.Folder && a.Session == b.Session && a.Agent == b.Agent && a.Person == b.Person &&
		a.Global == b.Global && a.Guest == b.Guest && a.Writing == b.Writing && slices.Equal(a.Env, b.Env)
}

// Options are those by which a command that a person or an agent types opens the
// store, but for folder and clock; ok is false of one that opens none, or another.
func Options(env, args []string) (o gitstore.Options, ok bool) {
	if len(args) == 0 || !slices.Contains([]string{"checkpoint", "log", "show", "rev-parse", "status", "diff", "branch", "search", "save", "remember", "recall", "forget", "list", "knowledge", "todo", "failure", "note", "core", "skill", "continuity"}, args[0]) {
		return o, false
	}
	if slices.ContainsFunc(args, asksForHelp) {
		return o, false
	}
	o.Env, o.Home = env, Home(env)
	o.Session, o.Agent = Session(env)
	o.Person = Person(env)
	o.Writing = args[0] == "save" || len(args) > 1 && args[0] == "checkpoint" && args[1] == "save"
	return o, true
}

// asksForHelp reports whether an argument may be --help or -h, also among other letters,
// as in -vh. One that is a text makes its command begin no earlier, no more.
func asksForHelp(arg string) bool {
	short := strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--")
	return arg == "--help" || strings.HasPrefix(arg, "--help=") || short && strings.Contains(arg, "h")
}

// Session is the session of an agent that a command acts for, from the variable of
// ours, or else from that which Claude Code gives to the commands that it runs, and
// the agent, as far as that is known.
func Session(env []string) (session, agent string) {
	session = Getenv(env, "SAGE_SESSION")
	if session == "" {
		session = Getenv(env, "CLAUDE_CODE_SESSION_ID")
	}
	if session != "" && Getenv(env, "CLAUDECODE") != "" {
		agent = "claude-code"
	}
	return session, agent
}

// Person reports whether a person types the command: nobody who has a session, and none
// of the agents that say so to what they run. What an agent hides from its commands
// nobody can tell.
func Person(env []string) bool {
	for _, name := range []string{
		"SAGE_SESSION", "CLAUDE_CODE_SESSION_ID", "CLAUDECODE", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI", "CURSOR_AGENT", "OPENCODE", "AI_AGENT",
	} {
		if Getenv(env, name) != "" {
			return false
		}
	}
	return true
}

// Home is the user-wide folder: $SAGE_HOME, or .sage in the home folder.
func Home(env []string) string {
	if h := Getenv(env, "SAGE_HOME"); h != "" {
		return h
	}
	if h := Getenv(env, "HOME"); h != "" {
		return filepath.Join(h, ".sage")
	}
	h, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(h, ".sage")
}

// Getenv is the value of an environment variable, "" if it is not set. The last of
// several counts, as in os/exec.
func Getenv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(env[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}
