package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// Options are the world of a daemon.
type Options struct {
	Version string
	Folder  string        // of transcripts: projects in the client's folder
	Poll    bool          // look at the folder in turns, also where the system would tell of changes
	Program Program       // that it was started from
	Wait    time.Duration // for a daemon before it to end
	Plugins plugin.Config
	Wrong   error // with the configuration of plugins; it is logged

	// Act does what an order says, in a process of its own.
	Act func(context.Context, hooks.Order) ([]hooks.Done, error)
	// Open opens the store of a folder, to see which refs moved.
	Open func(ctx context.Context, dir string) (*gitstore.Store, error)
	// Replace starts a daemon of the program that took the place of this one's, which
	// waits for this one to end.
	Replace func() error

	Log   func(format string, args ...any) // nil is the place's log
	Clock func() Moment                    // nil is the clock of the system
}

const (
	settle     = 150 * time.Millisecond // from the first hint to the look: the client writes in lots
	turn       = 30 * time.Second       // between two turns where the system tells of changes
	pollTurn   = 2 * time.Second        // and where it does not
	keepTurn   = 5 * time.Second        // between two notes of what is known
	quiet      = 15 * time.Minute       // without a word, after which a session has ended if no client has it
	mostOrders = 4                      // at once; each is a process
	mostTries  = 3                      // of an order that fails
)

// A watcher is a daemon at work. Everything in it is for the goroutine that runs it.
type watcher struct {
	o       Options
	place   Place
	plugins *plugin.Set
	root    *os.Root
	eye     *fsnotify.Watcher // nil where changes are looked for
	mode    string
	timer   *time.Timer
	inbox   chan func() // from other goroutines
	slots   chan struct{}
	ctx     context.Context

	files   map[string]*file
	folders map[string]time.Time // of projects, with when they changed
	dirty   map[string]bool      // files to look at
	refused map[string]bool      // links, each told of once
	stores  map[string]*store    // by git directory
	asked   map[string]string    // work folder to git directory; "" while nobody knows, or of none

	hinted  Moment // the first hint that was not looked into
	turned  Moment // the last turn
	walked  Moment // the last look at everything
	every   time.Duration
	walkFor time.Duration // between two looks at everything
	kept    Moment
	changed bool // since then
	last    string
	gone    int    // turns without a program
	over    string // why it ends; "" for as long as it does not
}

func newWatcher(p Place, o Options) *watcher {
	if o.Clock == nil {
		o.Clock = systemClock()
	}
	w := &watcher{
		o: o, place: p, every: turn, walkFor: time.Minute,
		inbox: make(chan func(), 64), slots: make(chan struct{}, mostOrders),
		files: map[string]*file{}, folders: map[string]time.Time{}, dirty: map[string]bool{}, refused: map[string]bool{},
		stores: map[string]*store{}, asked: map[string]string{},
	}
	w.plugins = plugin.New(o.Plugins, o.Log)
	return w
}

// begin looks at everything that is there, which is old, but for what changed since the
// daemon before this one.
func (w *watcher) begin(ctx context.Context) error {
	w.ctx = ctx
	if err := os.MkdirAll(w.o.Folder, 0o700); err != nil { // the client makes it with its first session
		return err
	}
	for _, dir := range []string{"clients", "servers"} {
		if err := plainfile.MakeFolder(w.place.Home, filepath.Join(w.place.run(), dir)); err != nil {
			return err
		}
	}
	root, err := os.OpenRoot(w.o.Folder)
	if err != nil {
		return err
	}
	w.root = root
	w.lookOut()
	now := w.o.Clock()
	w.turned = now
	was, known := w.place.readState(w.o.Folder)
	w.walk(now, func(name string, st os.FileInfo) *file {
		f := &file{name: name, from: st.Size(), size: st.Size(), mod: st.ModTime(), grew: now.Up, begun: true}
		if s, ok := was.Files[name]; ok {
			f.pos, f.from, f.dir, f.summary, f.active, f.live = s.Position, s.From, s.Dir, s.Summary, s.Active, s.Live
			f.size = -1 // what it says since is looked at
		} else if known && !st.ModTime().Before(was.At) {
			f.from, f.size, f.begun = 0, -1, false
		}
		return f
	})
	for name, f := range w.files {
		if f.size < 0 {
			w.dirty[name] = true
		}
	}
	if w.o.Wrong != nil {
		w.note("%v", w.o.Wrong)
	}
	w.handle(plugin.Event{Kind: plugin.DaemonStarted, Transcript: w.o.Folder})
	w.look(now)
	w.save(now)
	return nil
}

// handle asks the plugins about an event that belongs to no transcript.
func (w *watcher) handle(e plugin.Event) {
	w.order(hooks.Order{Session: e.Session, Dir: e.Dir}, []plugin.Event{e}, func(bool) {})
}

// order asks the plugins about events, and lets be done what they answer. then is called
// when it is, with whether all of it went well.
func (w *watcher) order(o hooks.Order, events []plugin.Event, then func(ok bool)) {
	for _, e := range events {
		for _, a := range w.plugins.Handle(w.ctx, e) {
			if a.Do == plugin.Log {
				w.note("%s", a.Text)
			} else if n := len(o.Actions); n == 0 || o.Actions[n-1] != a {
				o.Actions = append(o.Actions, a)
			}
		}
	}
	switch st, err := os.Stat(o.Dir); {
	case len(o.Actions) == 0:
		then(true)
	case !filepath.IsAbs(o.Dir) || err != nil || !st.IsDir():
		w.note("session %s: its folder '%s' does not exist; nothing is done", o.Session, o.Dir)
		then(true)
	default:
		go w.act(o, then)
	}
}

// act has an order carried out.
func (w *watcher) act(o hooks.Order, then func(ok bool)) {
	w.slots <- struct{}{}
	done, err := w.o.Act(w.ctx, o)
	<-w.slots
	w.send(func() {
		then(w.noteDone(o, done, err))
		if s := w.stores[w.asked[o.Dir]]; s != nil {
			w.moved(s)
		}
	})
}

// noteDone notes what came of an order, and reports whether all went well.
func (w *watcher) noteDone(o hooks.Order, done []hooks.Done, err error) (ok bool) {
	ok = err == nil
	came := 0
	if err != nil {
		w.note("session %s: %v", o.Session, err)
	}
	for _, d := range done {
		switch {
		case d.Error != "":
			ok = false
			w.note("session %s: %s: %s", o.Session, d.Do, d.Error)
		case d.What != "":
			came++
			w.note("session %s: %s", o.Session, d.What)
		}
	}
	if ok && came == 0 && o.Compacted != "" {
		w.note("session %s: nothing left to do", o.Session)
	}
	return ok
}

// send hands something to the goroutine that runs the watcher, if it still does.
func (w *watcher) send(f func()) {
	select {
	case w.inbox <- f:
	case <-w.ctx.Done():
	}
}

func (w *watcher) note(format string, args ...any) {
	w.last = fmt.Sprintf(format, args...)
	w.o.Log("%s", w.last)
}
