// Package cli is the command line: one file a command. It is the only place
// that knows streams, the clock, the environment and exit codes.
//
// A command is a function newXCmd(a *app) *cobra.Command, listed in root.go. It
// prints data with a.out, and says everything else with a.warn and a.say. It
// returns an error and never exits: nil is status 0, errNo is 1, usagef is 129,
// anything else is fatal, 128. exit.go turns errors into messages and hints.
package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/early"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/embed"
)

// app is the world as the commands see it.
type app struct {
	in       io.Reader
	out, err io.Writer
	dir      string   // working directory; see path for file arguments
	chosen   bool     // by -C
	env      []string // in the form of os.Environ
	now      func() time.Time
	isTTY    bool // standard output is a terminal
	errTTY   bool // standard error is
	width    int  // columns of that terminal; 0 is unknown
	global   bool // --global: the user's own store
	json     bool // --json
	session  string
	agent    string
	color    string // --color: auto, always or never; "" is for configuration to say
	date     string // --date: how log writes dates; "" is for configuration to say
	noPager  bool
	writing  bool   // a save follows: the store may ask for what it needs at once
	hurried  bool   // a hook: somebody waits for it
	self     string // this program, for what it starts in the background; "" starts nothing
	weights  Weights
	indexes  *recall.Indexes // of a server; nil opens them for each call

	mem   *recall.Memory  // the last that open returned
	store *gitstore.Store // its store, for configuration
	early *opening        // what openEarly began

	acted  string   // what was changed, for whom the output cannot tell it
	failed error    // of writing help
	hinted []string // what hintOnce said
}

// systemApp is the world of this process.
func systemApp() *app {
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		env: os.Environ(), now: time.Now,
	}
	a.dir, _ = os.Getwd()
	a.self, _ = os.Executable()
	a.isTTY, a.width = terminal(os.Stdout)
	a.errTTY, _ = terminal(os.Stderr)
	a.session, a.agent = early.Session(a.env)
	return a
}

// getenv is the value of an environment variable, "" if it is not set.
func (a *app) getenv(name string) string { return early.Getenv(a.env, name) }

// path makes a file argument absolute or relative to the process, so that -C
// holds for it too.
func (a *app) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.dir, name)
}

// home is the user-wide folder: $SAGE_HOME, or .sage in the home folder.
func (a *app) home() string { return early.Home(a.env) }

// open opens the memory of the repository, or of the user with --global or
// outside any repository. The process ends with the command, so nobody needs
// to close it; done closes it in tests.
func (a *app) open(ctx context.Context) (*recall.Memory, error) {
	m, err := a.opened(ctx)
	if err != nil {
		return nil, err
	}
	a.store, a.mem = m.Store, m
	return m, nil
}

// opening is a memory that is being opened before the command line is taken
// apart: git takes a while to answer, and nearly every command waits for it. See
// package early for what was begun before that.
type opening struct {
	with gitstore.Options
	done chan struct{}
	m    *recall.Memory
	err  error
}

// openEarly begins to open the memory that the command will most likely want.
func (a *app) openEarly(ctx context.Context, args []string) {
	likely, ok := early.Options(a.env, args)
	if !ok {
		return
	}
	a.writing = likely.Writing
	o := a.ownOptions()
	a.early = &opening{with: o, done: make(chan struct{})}
	go func(e *opening, then app) {
		e.m, e.err = then.openWith(ctx, o)
		close(e.done)
	}(a.early, *a)
}

// ownOptions are those of a command that a person or an agent types.
func (a *app) ownOptions() gitstore.Options {
	return gitstore.Options{Dir: a.dir, Session: a.session, Agent: a.agent, Global: a.global, Writing: a.writing}
}

func (a *app) opened(ctx context.Context) (*recall.Memory, error) {
	e, o := a.early, a.ownOptions()
	if e == nil || e.with.Global != o.Global || e.with.Session != o.Session {
		return a.openWith(ctx, o)
	}
	<-e.done
	a.early = nil // a second open is a new one
	return e.m, e.err
}

// openGuest opens the memory at dir for a hook or server: git variables in the
// environment are somebody else's.
func (a *app) openGuest(ctx context.Context, dir, session string) (*recall.Memory, error) {
	return a.openWith(ctx, gitstore.Options{Dir: dir, Session: session, Agent: a.agent, Guest: true})
}

// openHook is openGuest for who has a moment: models that take longer are none to it.
func (a *app) openHook(ctx context.Context, dir, session string) (*recall.Memory, error) {
	hurried := *a
	hurried.hurried = true
	if hurried.indexes == nil { // the start of a session asks for todos, and for what it recalls
		hurried.indexes = &recall.Indexes{}
	}
	return hurried.openGuest(ctx, dir, session)
}

func (a *app) openWith(ctx context.Context, o gitstore.Options) (*recall.Memory, error) {
	o.Global, o.Home, o.Env, o.Now = o.Global || a.global, a.home(), a.env, a.now
	s, err := early.Open(ctx, o)
	// A GIT_DIR that leads nowhere is a mistake to be told, not "outside".
	if errors.Is(err, gitstore.ErrNotRepository) && (o.Guest || a.getenv("GIT_DIR") == "") {
		o.Global = true
		s, err = early.Open(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	settings := a.settings(s)
	own := o
	own.Global = true
	return &recall.Memory{Store: s, Settings: settings, Home: a.home(), Now: a.now, Upkeep: a.upkeep(o),
		OpenOwn:    func(ctx context.Context) (*gitstore.Store, error) { return early.Open(ctx, own) },
		Embedder:   sync.OnceValues(func() (embed.Embedder, error) { return a.proseModel(s) }),
		Background: a.background(o, "admin", "rebuild-embeddings", "--missing", "--quiet"),
		Warn:       a.tell(o),
		Around:     a.around(s),
		Kept:       a.keepConversation(s, settings),
		Indexes:    a.indexes,
	}, nil
}

// done releases what open opened.
func (a *app) done() {
	if a.mem != nil {
		a.mem.Close()
		a.store, a.mem = nil, nil
	}
}
