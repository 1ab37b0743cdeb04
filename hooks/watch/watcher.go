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
	"github.com/git-sage/git-sage/internal/hint"
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

// A Moment is a point in time, twice.
type Moment struct {
	Wall time.Time     // by the clock that people set
	Up   time.Duration // since the daemon began, by one that only runs forward; it may stand still while the machine sleeps
}

// systemClock is the clock of this process.
func systemClock() func() Moment {
	began := time.Now()
	return func() Moment {
		now := time.Now()
		return Moment{now.Round(0).UTC(), now.Sub(began)}
	}
}

const (
	settle     = 150 * time.Millisecond // from the first hint to the look: the client writes in lots
	turn       = 30 * time.Second       // between two turns where the system tells of changes
	pollTurn   = 2 * time.Second        // and where it does not
	quiet      = 15 * time.Minute       // without a word, after which a session has ended if no client has it
	mostOrders = 4                      // at once; each is a process
	mostTries  = 3                      // of an order that fails

	// gap is by how much the two clocks may differ before the machine is taken to have
	// slept, and by how much a turn may be late before the process is taken to have been
	// stopped.
	gap = 10 * time.Second
)

// A watcher is a daemon at work. Everything in it is for the goroutine that runs it.
type watcher struct {
	o       Options
	place   Place
	plugins *plugin.Set
	root    *os.Root
	eye     *fsnotify.Watcher // nil where changes are looked for
	mode    string
	inbox   chan func() // from other goroutines
	slots   chan struct{}
	ctx     context.Context

	files   map[string]*file
	folders map[string]time.Time // of projects, with when they changed
	refused map[string]bool      // links, each told of once
	stores  map[string]*store    // by git directory
	asked   map[string]string    // work folder to git directory; "" while nobody knows, or of none

	hinted  Moment // the first hint that was not looked into
	turned  Moment // the last turn
	walked  Moment // the last look at everything
	every   time.Duration
	walkFor time.Duration // between two looks at everything
	changed bool          // since what is known was saved
	last    string
	gone    int    // turns without a program
	over    string // why it ends; "" for as long as it does not
}

func newWatcher(p Place, o Options) *watcher {
	if o.Clock == nil {
		o.Clock = systemClock()
	}
	return &watcher{
		o: o, place: p, plugins: plugin.New(o.Plugins, o.Log), every: turn,
		inbox: make(chan func(), 64), slots: make(chan struct{}, mostOrders),
		files: map[string]*file{}, folders: map[string]time.Time{}, refused: map[string]bool{},
		stores: map[string]*store{}, asked: map[string]string{},
	}
}

// begin looks at everything that is there, which is old, but for what changed since the
// daemon before this one.
func (w *watcher) begin(ctx context.Context) (err error) {
	w.ctx = ctx
	if err := os.MkdirAll(w.o.Folder, 0o700); err != nil { // the client makes it with its first session
		return err
	}
	for _, dir := range w.clientFolders() {
		if err := plainfile.MakeFolder(w.place.Home, dir); err != nil {
			return err
		}
	}
	if w.root, err = os.OpenRoot(w.o.Folder); err != nil {
		return err
	}
	w.lookOut()
	now := w.o.Clock()
	w.turned = now
	w.scan(now, true)
	w.restore()
	if w.o.Wrong != nil {
		w.note("%v", w.o.Wrong)
	}
	w.order([]plugin.Event{{Kind: plugin.DaemonStarted, Transcript: w.o.Folder}}, nil)
	w.look(now)
	w.save(now)
	return nil
}

// clientFolders are where clients and their servers leave a note, until they end.
func (w *watcher) clientFolders() []string {
	return []string{filepath.Join(w.place.run(), "clients"), filepath.Join(w.place.run(), "servers")}
}

// turn does what is to be done now and then.
func (w *watcher) turn(now Moment) {
	all := now.Up-w.walked.Up >= w.walkFor
	crowded := len(w.asked) >= mostFolders
	if crowded { // those where sessions are come back
		clear(w.asked)
		clear(w.stores)
	}
	still := slept(w.turned, now, w.every)
	if still {
		w.note("stood still, or the clock was set: looks at everything again")
	}
	if crowded || still {
		w.lookOut()
		all = true
	}
	w.turned = now
	if all || w.eye == nil {
		w.scan(now, all)
	}
	for _, f := range w.files {
		f.dirty = f.dirty || f.failed > 0
	}
	w.look(now)
	w.ended(now)
	w.followStores()
	w.outlived()
	if w.changed {
		w.save(now)
	}
}

// slept reports whether from one turn to the next, which was due after some time, the
// machine or the process stood still, or somebody set the clock.
func slept(from, to Moment, due time.Duration) bool {
	up, wall := to.Up-from.Up, to.Wall.Sub(from.Wall)
	return (wall-up).Abs() > gap || up-due > gap
}

// outlived ends the daemon when its program is gone, or was replaced: then by one of that.
func (w *watcher) outlived() {
	if w.o.Program.Path == "" {
		return
	}
	switch now := ThisProgram(w.o.Program.Path); {
	case now.is(w.o.Program):
		w.gone = 0
	case now.Path == "":
		if w.gone++; w.gone > 1 { // an upgrade may be on its way
			w.over = "its program is gone"
		}
	default:
		w.over = "its program was replaced"
		if err := w.o.Replace(); err != nil {
			w.note("start the new program: %v", err)
		}
	}
}

// order asks the plugins about events of one session, the last of which tells most, and
// has done what they answer. Then it calls then, if there is one, with whether all of it
// went well.
func (w *watcher) order(events []plugin.Event, then func(ok bool)) {
	e := events[len(events)-1]
	o := hooks.Order{Session: e.Session, Transcript: e.Transcript, Dir: e.Dir, Compacted: e.Summary}
	if then == nil {
		then = func(bool) {}
	}
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
		go func() {
			w.slots <- struct{}{}
			done, err := w.o.Act(w.ctx, o)
			<-w.slots
			w.send(func() {
				then(w.noteDone(o, done, err))
				if s := w.stores[w.asked[o.Dir]]; s != nil {
					w.moved(s)
				}
			})
		}()
	}
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
	w.last = fmt.Sprintf(format, hint.Args(args)...)
	w.o.Log("%s", w.last)
}
