package mcp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"log"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/recall"
)

// Options are the world of a server.
type Options struct {
	In  io.Reader // messages, one a line
	Out io.Writer // answers, one a line, and nothing else
	Err io.Writer // what went wrong inside, for a log; nil is nowhere

	// Open opens the memory on behalf of a session. It is called for every
	// call that needs it, several at a time, and each memory's store is closed
	// when the call is done: so a server that lives for days sees the
	// repository and its configuration as they are.
	Open func(ctx context.Context, session string) (*recall.Memory, error)

	// Modules says which modules of tools are offered. It is asked when the tools are
	// first wanted, and when settings are to be read again; nil is all.
	Modules func(context.Context) ([]string, error)

	// Settings lists the settings, or the one of a key, and what is wrong with any.
	// SetSetting changes one for the user in this repository, and returns what holds then,
	// which may come from elsewhere. nil is a server without settings.
	Settings   func(ctx context.Context, key string) (list []Setting, warnings []string, err error)
	SetSetting func(ctx context.Context, key, value string) (Setting, error)

	// Diagnose looks at all that the memory needs, for sage_health, as it matters to a client
	// of that name; nil looks at nothing.
	Diagnose func(ctx context.Context, client string) []gitstore.Diagnosis

	// Hooked says whether a client of that name may have hooks of ours; nil is any.
	Hooked func(client string) bool

	// Hook answers an event of the client, see hooks.Run; nil is a server that no hook
	// asks.
	Hook func(ctx context.Context, event string, in []byte) string

	// Elsewhere says that the client has this server under another name, too: then this
	// one offers nothing, so that a model is not shown every tool twice.
	Elsewhere bool

	Version string // of git-sage
	Session string // on whose behalf; "" makes one up

	// Roots takes the folders that the client has open, absolute paths, each time that it
	// tells them; nil is a server that does not ask.
	Roots func(folders []string)

	// Slack is how many times as long as usual calls may take when the input has ended, on
	// a machine that is busy with others; 0 is 1.
	Slack int

	// Client tells which session the client has now, which it may change while the
	// server runs; "" is not known, and then it is Session. It is asked for every
	// call; nil is never.
	Client func() string
}

// The time that calls under way get when the input has ended, and that what
// remains gets to give up: together under the 2 s after which a client kills.
const (
	finishWithin = 1500 * time.Millisecond
	giveUpWithin = 300 * time.Millisecond
)

const (
	maxPending = 256 // calls that wait or run; beyond it no input is read
	maxRunning = 8   // calls that run: each is a few processes of git
)

// Serve answers messages until the input ends or ctx is done. It lets calls
// under way finish, and returns nil unless reading or writing failed.
func Serve(ctx context.Context, o Options) error {
	if o.Err == nil {
		o.Err = io.Discard
	}
	if o.Session == "" {
		o.Session = madeUpSession()
	}
	s := newSession(ctx, o, func(_ any, line []byte) error {
		_, err := o.Out.Write(append(line, '\n'))
		return err
	})
	defer s.end()
	err := s.listen(ctx)
	s.drain()
	return err
}

// newSession begins a session that lives until its end is called, whatever becomes of ctx.
// It sends messages by emit, one at a time, with the JSON of each.
func newSession(ctx context.Context, o Options, emit func(message any, line []byte) error) *session {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	return &session{
		o: o, life: life, end: end, emit: emit, log: log.New(o.Err, "mcp: ", log.LstdFlags),
		pending: make(chan struct{}, maxPending), running: make(chan struct{}, maxRunning),
		cancels: map[string]context.CancelFunc{}, out: make(chan struct{}, 1), broken: make(chan error, 1),
	}
}

func madeUpSession() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return "mcp-" + hex.EncodeToString(b[:])
}

// A session is one client's connection.
type session struct {
	o    Options
	life context.Context // of calls; ends after the input, when they had their time
	end  context.CancelFunc
	emit func(message any, line []byte) error
	log  *log.Logger

	pending, running chan struct{}
	calls            sync.WaitGroup

	mu      sync.Mutex // guards what follows
	cancels map[string]context.CancelFunc
	turn    <-chan struct{} // closed when the last writing call so far is done
	agent   string          // what the client calls itself
	known   string          // the session that was greeted, or needs not be
	held    string          // greeting that did not fit into an answer yet
	shook   bool            // hands: the client is of the protocol with initialize

	greetedBack, ready bool // the handshake: initialize was answered, and the client said that it goes on

	hasRoots bool          // the client has them
	asked    int           // how often we asked for them
	rooted   chan struct{} // closed when the first answer is there, or nobody waits for it; nil: not asked

	asking sync.Mutex // guards offers
	offers []string   // modules; nil: nobody asked yet

	out    chan struct{} // held by who writes a line
	broken chan error    // the output failed
}

// listen reads lines and starts what they ask for.
func (s *session) listen(ctx context.Context) error {
	type input struct {
		line []byte
		err  error
	}
	lines := make(chan input)
	go func() {
		for r := protocol.NewLineReader(s.o.In); ; {
			line, err := r.Next()
			select {
			case lines <- input{line, err}:
			case <-s.life.Done():
				return
			}
			if err != nil && err != protocol.ErrTooLong {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-s.broken:
			return err
		case in := <-lines:
			switch in.err {
			case nil:
				s.take(ctx, in.line)
			case io.EOF:
				return nil
			case protocol.ErrTooLong:
				s.tooLong()
			default:
				return in.err
			}
		}
	}
}

// drain waits for calls under way, and gives up on those that take too long.
func (s *session) drain() {
	done := make(chan struct{})
	go func() { s.calls.Wait(); close(done) }()
	for _, d := range []time.Duration{finishWithin, giveUpWithin} {
		t := time.NewTimer(d * time.Duration(max(1, s.o.Slack)))
		select {
		case <-done:
			t.Stop()
			return
		case <-t.C:
			s.end()
		}
	}
}
