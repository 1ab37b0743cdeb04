// Package cli is the command line: one file a command. It is the only place
// that knows streams, the clock, the environment and exit codes.
//
// A command is a function newXCmd(a *app) *cobra.Command, listed in root.go. It
// prints data with a.out, and says everything else with a.warn and a.say. It
// returns an error and never exits: nil is status 0, errNo is 1, usagef is 129,
// anything else is fatal, 128. exit.go turns errors into messages and hints.
package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// app is the world as the commands see it.
type app struct {
	term.Terminal
	chosen   bool // the folder, by -C
	global   bool // --global: the user's own store
	session  string
	agent    string
	inside   bool   // only a repository will do
	writing  bool   // a save follows: the store may ask for what it needs at once
	slack    int    // how many times as long as usual hooks and servers may take; 0 is 1
	hurried  bool   // a hook: somebody waits for it
	release  string // what the linker calls this version; "" is for the module to say
	self     string // this program, for what it starts in the background; "" starts nothing
	weights  models.Weights
	indexes  *sidecar.Indexes // of a server; nil opens them for each call
	found    *repositories    // where a server found a repository
	children *children        // what self was started for; there is one where self is

	reads     bool     // the command keeps nothing new: see readers
	temporary []string // folders that go with the command

	mem   *recall.Memory  // the last that open returned
	store *gitstore.Store // its store, for configuration
}

// systemApp is the world of this process.
func systemApp() *app {
	a := &app{Terminal: *term.System(), release: version, children: &children{}}
	a.self, _ = os.Executable()
	a.session, a.agent = sessionIn(a.Env)
	return a
}

// home is the user-wide folder: $SAGE_HOME, or .sage in the home folder.
func (a *app) home() string { return homeIn(a.Env) }

// open opens the memory of the repository, or of the user with --global or
// outside any repository. The process ends with the command, so nobody needs
// to close it; done closes it in tests. What a prune of git's took away beside the last
// save is back from then on.
func (a *app) open(ctx context.Context) (*recall.Memory, error) {
	m, err := a.openAsIs(ctx)
	if err != nil {
		return nil, err
	}
	for _, said := range m.Store.TakeBack(ctx) {
		a.Warn("%s", said)
	}
	return m, nil
}

// openAsIs is open for who looks for what is wrong.
func (a *app) openAsIs(ctx context.Context) (*recall.Memory, error) {
	m, err := a.openWith(ctx, gitstore.Options{Dir: a.Dir, Session: a.session, Agent: a.agent, Person: isPerson(a.Env), Writing: a.writing})
	if err != nil {
		return nil, err
	}
	a.store, a.mem, a.Git = m.Store, m, m.Store
	return m, nil
}

// openGuest opens the memory at dir for a hook or server: git variables in the
// environment are somebody else's.
func (a *app) openGuest(ctx context.Context, dir, session string) (*recall.Memory, error) {
	m, err := a.openWith(ctx, gitstore.Options{Dir: dir, Session: session, Agent: a.agent, Guest: true})
	if err == nil {
		_ = m.Store.TakeBack(ctx) // a program would not know what to do about it
	}
	return m, err
}

// openHook is openGuest for who has a moment: models that take longer are none to it.
func (a *app) openHook(ctx context.Context, dir, session string) (*recall.Memory, error) {
	hurried := *a
	hurried.hurried = true
	if hurried.indexes == nil { // the start of a session asks for todos, and for what it recalls
		hurried.indexes = &sidecar.Indexes{}
	}
	return hurried.openGuest(ctx, dir, session)
}

func (a *app) openWith(ctx context.Context, o gitstore.Options) (*recall.Memory, error) {
	o.Global, o.Home, o.Env, o.Now = o.Global || a.global, a.home(), a.Env, a.Now
	s, nothing, err := a.openStore(ctx, &o)
	if err != nil {
		return nil, err
	}
	if !o.Global {
		a.found.note(o.Dir)
	}
	if !o.Guest {
		s.Tell(func(what string) { a.Say("%s", what) })
	}
	settings := a.settings(s)
	own := o
	own.Global, own.Folder = true, ""
	m := &recall.Memory{Store: s, Settings: settings, Home: a.home(), Now: a.Now, Upkeep: a.upkeep(s, o),
		OpenOwn:    func(ctx context.Context) (*gitstore.Store, error) { return openStore(ctx, own) },
		Embedder:   sync.OnceValues(func() (embed.Embedder, error) { return a.proseModel(s) }),
		Background: a.background(s, o, "admin", "rebuild-embeddings", "--missing", "--quiet"),
		ReadAhead:  a.readAhead(o),
		Warn:       a.tell(o),
		Around:     a.around(s),
		Kept:       a.keepConversation(s, settings),
		Indexes:    a.indexes,
	}
	if nothing { // which is nothing to keep up
		m.Upkeep, m.Background = nil, nil
	}
	return m, nil
}

// models are those that run here.
func (a *app) models() *models.Set {
	return &models.Set{Home: a.home(), Weights: a.weights, Now: a.Now, Getenv: a.Getenv, Hurried: a.hurried}
}

// proseModel is the model that the settings of a store name; nil is none.
func (a *app) proseModel(s *gitstore.Store) (embed.Embedder, error) {
	c, err := a.config(s)
	if err != nil {
		return nil, err
	}
	return a.models().Prose(c)
}

// openStore opens the store of the repository, or of the user with --global or outside of
// any repository. That one is made for who may keep something; for others nothing stands
// in its place while there is none.
func (a *app) openStore(ctx context.Context, o *gitstore.Options) (s *gitstore.Store, nothing bool, err error) {
	if !o.Global {
		s, err = openStore(ctx, *o)
		if a.found != nil && err != nil && (!isDir(o.Dir) || errors.Is(err, gitstore.ErrNotRepository) && a.found.had(o.Dir)) {
			return nil, false, a.errMoved(o.Dir)
		}
		// A GIT_DIR that leads nowhere is a mistake to be told, not "outside".
		if !errors.Is(err, gitstore.ErrNotRepository) || a.inside || !o.Guest && a.Getenv("GIT_DIR") != "" {
			return s, false, err
		}
		o.Global, o.Folder = true, a.Path(o.Dir)
	}
	if a.reads && !hasOwn(o.Home) {
		s, err = a.openNothing(ctx, *o)
		return s, true, err
	}
	s, err = openStore(ctx, *o)
	return s, false, err
}

// ownStore is the store of the user in the user-wide folder.
func ownStore(home string) string { return filepath.Join(home, "memory.git") }

// done releases what open opened.
func (a *app) done() {
	if a.mem != nil {
		a.mem.Close()
		a.store, a.mem, a.Git = nil, nil, nil
	}
	for _, dir := range a.temporary {
		_ = os.RemoveAll(dir)
	}
	a.temporary = nil
}

// tell warns a person of what did not keep the memory from answering. A guest, who is
// a hook or a server, has nobody to tell.
func (a *app) tell(o gitstore.Options) func(error) {
	if o.Guest {
		return nil
	}
	return func(err error) { a.Warn("%v", err) }
}

// build is the version of this program, as the linker, the module or the checkout say, and
// its commit.
func (a *app) build() (version, commit string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(a.release, "unknown"), ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		}
	}
	return cmp.Or(a.release, info.Main.Version, "(devel)"), commit
}
