package app

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// An App is the world as a command sees it.
type App struct {
	term.Terminal
	Chosen   bool // the folder, by -C
	Global   bool // --global: the user's own store
	Session  string
	Agent    string
	Inside   bool   // only a repository will do
	Writing  bool   // a save follows: the store may ask for what it needs at once
	ForModel bool   // what is read goes to a model, which sees what an agent may
	Slack    int    // how many times as long as usual hooks and servers may take; 0 is 1
	hurried  bool   // a hook: somebody waits for it
	release  string // what the linker calls this version; "" is for the module to say
	Self     string // this program, for what it starts in the background; "" starts nothing
	Weights  models.Weights
	Indexes  *sidecar.Indexes     // of a server; nil opens them for each call
	Code     *codeindex.Kept      // likewise
	Found    *Repositories        // where a server found a repository
	children *background.Children // what self was started for; there is one where self is

	Reads     bool     // the command keeps nothing new
	Temporary []string // folders that go with the command

	Memory *recall.Memory    // the last that Open returned
	Store  *gitstore.Store   // its store, for configuration
	Closed map[string]string // its closed lines, as history asked for them; nil before that
}

// System is the world of this process; release is what the linker calls this version.
func System(release string) *App {
	a := &App{Terminal: *term.System(), release: release, children: &background.Children{}}
	a.Self = Program()
	a.Session, a.Agent = sessionIn(a.Env)
	return a
}

// Home is the user-wide folder: $SAGE_HOME, or .sage in the home folder.
func (a *App) Home() string { return homeIn(a.Env) }

// Open opens the memory of the repository, or of the user with --global or
// outside any repository. The process ends with the command, so nobody needs
// to close it; Done closes it in tests. What a prune of git's took away beside the last
// save is back from then on.
func (a *App) Open(ctx context.Context) (*recall.Memory, error) {
	m, err := a.OpenAsIs(ctx)
	if err != nil {
		return nil, err
	}
	for _, said := range m.Store.Backup.TakeBack(ctx) {
		a.Warn("%s", said)
	}
	return m, nil
}

// OpenAsIs is Open for who looks for what is wrong.
func (a *App) OpenAsIs(ctx context.Context) (*recall.Memory, error) {
	m, err := a.openWith(ctx, gitstore.Options{Dir: a.Dir, Session: a.Session, Agent: a.Agent, Person: a.IsPerson() && !a.ForModel, Writing: a.Writing})
	if err != nil {
		return nil, err
	}
	a.Store, a.Memory, a.Git = m.Store, m, m.Store.Repo
	return m, nil
}

// OpenGuest opens the memory at dir for a hook or server: git variables in the
// environment are somebody else's.
func (a *App) OpenGuest(ctx context.Context, dir, session string) (*recall.Memory, error) {
	m, err := a.openWith(ctx, gitstore.Options{Dir: dir, Session: session, Agent: a.Agent, Guest: true})
	if err == nil {
		_ = m.Store.Backup.TakeBack(ctx) // a program would not know what to do about it
	}
	return m, err
}

// OpenHook is OpenGuest for who has a moment: models that take longer are none to it.
func (a *App) OpenHook(ctx context.Context, dir, session string) (*recall.Memory, error) {
	hurried := *a
	hurried.hurried = true
	if hurried.Indexes == nil { // the start of a session asks for todos, and for what it recalls
		hurried.Indexes = &sidecar.Indexes{}
	}
	return hurried.OpenGuest(ctx, dir, session)
}

func (a *App) openWith(ctx context.Context, o gitstore.Options) (*recall.Memory, error) {
	o.Global, o.Home, o.Env, o.Now = o.Global || a.Global, a.Home(), a.Env, a.Now
	s, nothing, err := a.openStore(ctx, &o)
	if err != nil {
		return nil, err
	}
	if !o.Global {
		a.Found.note(o.Dir)
	}
	if !o.Guest {
		s.Ledger.Tell(func(what string) { a.Say("%s", what) })
	}
	settings := a.settings(s)
	own := o
	own.Global, own.Folder = true, ""
	about := recall.Options{Store: s, Settings: settings, Home: a.Home(), Now: a.Now,
		Upkeep:  a.startBehind(s, o, "admin", "maintenance", "--auto", "--quiet"), // if it cannot start, the next save tries again
		OpenOwn: func(ctx context.Context) (*gitstore.Store, error) { return OpenStore(ctx, own) },
		OpenProject: func(ctx context.Context, dir string) (*gitstore.Store, recall.Settings, error) {
			s, err := OpenStore(ctx, gitstore.Options{Dir: dir, Guest: true, Home: o.Home, Env: o.Env, Now: o.Now})
			if err != nil {
				return nil, recall.Settings{}, err
			}
			return s, a.settings(s)(), nil
		},
		Embedder: sync.OnceValues(func() (embed.Embedder, error) { return a.ProseModel(s) }),
		CodeModel: sync.OnceValues(func() (embed.Embedder, error) {
			c, err := a.Config(s)
			if err != nil {
				return nil, err
			}
			return a.Models().Code(c)
		}),
		IndexCode:  a.startBehind(s, o, "index", "--quiet"),
		EmbedCode:  a.startBehind(s, o, "index", "--embed", "--quiet"),
		Background: a.startBehind(s, o, "admin", "rebuild-embeddings", "--missing", "--quiet"),
		ReadAhead:  a.readAhead(o),
		Warn:       a.tell(o),
		Around:     a.around(s),
		Kept:       a.keepConversation(s, settings),
		Indexes:    a.Indexes,
		Code:       a.Code,
	}
	about.Sync = a.startBehind(s, o, "sync", "--background")
	s.Ledger.Moved = func() {
		if about.Sync != nil && s.Remotes.DueToPush(gitstore.Auto(settings().SyncAuto)) {
			about.Sync()
		}
	}
	if nothing { // which is nothing to keep up
		about.Upkeep, about.Background, about.IndexCode, about.EmbedCode, about.Sync = nil, nil, nil, nil, nil
	}
	return recall.New(about), nil
}

// Models are those that run here.
func (a *App) Models() *models.Set {
	return &models.Set{Home: a.Home(), Weights: a.Weights, Now: a.Now, Getenv: a.Getenv, Hurried: a.hurried}
}

// ProseModel is the model that the settings of a store name; nil is none.
func (a *App) ProseModel(s *gitstore.Store) (embed.Embedder, error) {
	c, err := a.Config(s)
	if err != nil {
		return nil, err
	}
	return a.Models().Prose(c)
}

// openStore opens the store of the repository, or of the user with --global or outside of
// any repository. That one is made for who may keep something; for others nothing stands
// in its place while there is none.
func (a *App) openStore(ctx context.Context, o *gitstore.Options) (s *gitstore.Store, nothing bool, err error) {
	if !o.Global {
		s, err = OpenStore(ctx, *o)
		if a.Found != nil && err != nil && (!IsDir(o.Dir) || errors.Is(err, gitstore.ErrNotRepository) && a.Found.had(o.Dir)) {
			return nil, false, a.errMoved(o.Dir)
		}
		// A GIT_DIR that leads nowhere is a mistake to be told, not "outside".
		if !errors.Is(err, gitstore.ErrNotRepository) || a.Inside || !o.Guest && a.Getenv("GIT_DIR") != "" {
			return s, false, err
		}
		o.Global, o.Folder = true, a.Path(o.Dir)
	}
	if a.Reads && !hasOwn(o.Home) {
		s, err = a.openNothing(ctx, *o)
		return s, true, err
	}
	s, err = OpenStore(ctx, *o)
	return s, false, err
}

// ownStore is the store of the user in the user-wide folder.
func ownStore(home string) string { return filepath.Join(home, "memory.git") }

// Done releases what Open opened.
func (a *App) Done() {
	if a.Memory != nil {
		a.Memory.Close()
		a.Store, a.Memory, a.Git, a.Closed = nil, nil, nil, nil
	}
	for _, dir := range a.Temporary {
		_ = os.RemoveAll(dir)
	}
	a.Temporary = nil
}

// tell warns a person of what did not keep the memory from answering. A guest, who is
// a hook or a server, has nobody to tell.
func (a *App) tell(o gitstore.Options) func(error) {
	if o.Guest {
		return nil
	}
	return func(err error) {
		if !errors.Is(err, context.Canceled) { // else somebody stopped it, and knows
			a.Warn("%v", err)
		}
	}
}

// Version is the version of this program, as the linker, the module or the checkout say, and
// its commit.
func (a *App) Version() (version, commit string) {
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
