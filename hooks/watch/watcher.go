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
	"github.com/git-sage/git-sage/hooks/internal/logfile"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/internal/hint"
)

// Options are the world of a daemon.
type Options struct {
	Version string
	Folder  string  // of transcripts: projects in the client's folder, as a clean path
	Poll    bool    // look at the folder in turns, also where the system would tell of changes
	Program Program // that it was started from

	// Act does what an order says, in a process of its own.
	Act func(context.Context, hooks.Order) ([]hooks.Done, error)
	// Open opens the store of a folder, to see which refs moved.
	Open func(ctx context.Context, dir string) (*gitstore.Store, error)

	Clock func() time.Time
}

const (
	settle     = 150 * time.Millisecond // from the first hint to the look: the client writes in lots
	turn       = 30 * time.Second       // between two turns where the system tells of changes
	pollTurn   = 2 * time.Second        // and where it does not
	quiet      = 15 * time.Minute       // without a word, after which a session has ended if no client has it
	upgrade    = 10 * time.Minute       // without a program, while another may be installed
	mostOrders = 4                      // at once; each is a process
	mostTries  = 3                      // of an order that fails
)

// A watcher is a daemon at work. Everything in it is for the goroutine that runs it.
type watcher struct {
	o       Options
	place   Place
	self    Status // as others read it
	plugins plugin.Set
	root    *os.Root
	eye     *fsnotify.Watcher // nil where changes are looked for
	mode    string
	inbox   chan func() // from other goroutines
	slots   chan struct{}
	ctx     context.Context

	files   map[string]*file
	refused map[string]bool   // links, each told of once
	stores  map[string]*store // by git directory

	next    time.Time // when something is due
	turned  time.Time // the last turn
	every   time.Duration
	changed bool      // since what is known was saved
	gone    time.Time // since when there is no program; zero while there is one
	over    string    // why it ends; "" for as long as it does not
}

func newWatcher(p Place, o Options) *watcher {
	return &watcher{
		o: o, place: p, inbox: make(chan func(), 64), slots: make(chan struct{}, mostOrders),
		files: map[string]*file{}, refused: map[string]bool{}, stores: map[string]*store{},
	}
}

// begin looks at everything that is there, which is old, but for what changed since the
// daemon before this one.
func (w *watcher) begin(ctx context.Context) error {
	w.ctx = ctx
	if err := w.lookOut(); err != nil {
		return err
	}
	now := w.o.Clock()
	w.turned, w.next = now, now.Add(w.every)
	w.scan()
	w.restore()
	c, err := plugin.Load(w.place.Home)
	if err != nil {
		w.note("%v", err)
	}
	w.plugins = plugin.New(c)
	w.note("watching %s", w.o.Folder)
	w.look(now)
	w.save(now)
	return nil
}

// turn does what is to be done now and then: it finds what no hint told of.
func (w *watcher) turn(now time.Time) {
	w.turned = now
	w.scan()
	for _, f := range w.files {
		f.dirty = f.dirty || f.failed > 0
	}
	w.follow(now)
	w.outlived(now)
	if w.changed {
		w.save(now)
	}
}

// follow looks at what may have changed, and has done what follows.
func (w *watcher) follow(now time.Time) {
	w.look(now)
	w.ended(now)
	for _, s := range w.stores {
		w.moved(s)
	}
}

// wasReplaced is why a daemon ends of whose program there is another version.
const wasReplaced = "its program was replaced"

// outlived ends the daemon when its program was replaced, or is gone for longer than an
// upgrade takes: a daemon that ends without a program leaves none in its place.
func (w *watcher) outlived(now time.Time) {
	switch program := ThisProgram(w.o.Program.Path); {
	case program.is(w.o.Program):
		w.gone = time.Time{}
	case program.Path != "":
		w.over = wasReplaced
	case w.gone.IsZero():
		w.gone = now
	case now.Sub(w.gone) >= upgrade:
		w.over = "its program is gone"
	}
}

// order has done what the plugins ask for about what was seen of a session, and calls then
// with whether that went well.
func (w *watcher) order(o hooks.Order, seen plugin.Kind, checkpoint string, then func(ok bool)) {
	for _, do := range w.plugins.Ask(seen) {
		o.Actions = append(o.Actions, plugin.Action{Do: do, Checkpoint: checkpoint})
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
			w.send(func() { then(w.noteDone(o, done, err)) })
		}()
	}
}

// noteDone notes what came of an order, and reports whether all went well.
func (w *watcher) noteDone(o hooks.Order, done []hooks.Done, err error) (ok bool) {
	ok = err == nil
	said := o.Compacted == "" // else it is said that nothing came of it
	say := func(text string) {
		said = true
		w.note("session %s: %s", o.Session, text)
	}
	if err != nil {
		say(hint.Error(err))
	}
	for _, d := range done {
		if d.Error != "" {
			ok = false
			say(d.Do + ": " + d.Error)
		} else if d.What != "" {
			say(d.What)
		}
	}
	if !said {
		say("nothing left to do")
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
	logfile.Append(w.place.Log(), w.o.Clock(), "watcher", fmt.Sprintf(format, hint.Args(args)...))
}
