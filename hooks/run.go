package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks/transcript"
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
	PostToolUse   = "post-tool-use"  // a file was read or changed
	Stop          = "stop"           // the agent has answered
	SubagentStart = "subagent-start" // the agent sends out another one
	SubagentStop  = "subagent-stop"  // that one has answered; also fired by a compaction, for none
	Closing       = "closing"        // not the client's: what is worth it of a session that ended is saved
	Recovering    = "recovering"     // likewise, of one that was cut off
	Keeping       = "keeping"        // not the client's: the conversations that are wanted are kept
	Watched       = "watched"        // not the client's: what the watcher's plugins asked for is done
)

// Options are the world of a hook.
type Options struct {
	In   io.Reader // what the client says, as JSON
	Out  io.Writer // what it is told
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
	// Settings are asked when an event needs them; nil is none.
	Settings func(*recall.Memory) Settings

	// Later runs another event in a process of its own that nobody waits for; nil runs it
	// at once.
	Later func(event string, in []byte) error

	Within time.Duration // Run returns before that; 0 is 2 s, or a minute where nobody waits
}

// limit is above what a slow disk needs and below what a person notices as a
// hang. The client itself would wait for 60 s.
const limit = 2 * time.Second

// keepingWithin is above what a transcript of 1 GB takes, which is gone on with all the
// same: 300 MB take half a minute.
const keepingWithin = 10 * time.Minute

// limitOf is the limit of an event.
func limitOf(name string) time.Duration {
	switch name {
	case Closing, Recovering, Watched:
		return time.Minute
	case Keeping:
		return keepingWithin
	}
	return limit
}

// An event is an event at work.
type event struct {
	Options
	name  string
	input input
	mem   *recall.Memory
	back  *recall.Continuity // what the answer brings back; may be nil
	after func()             // what is noted when the client has the answer; may be nil
	cost  transcript.Cost    // of looking for secrets in what was said

	off     bool     // nothing may be saved here
	summary *summary // that an order names; nil until it was looked for
}

// Run answers one event and returns the exit status, which is always 0: any
// other would be shown as an error or block the client. An unknown event is
// answered with nothing, for settings may be newer than the program.
func Run(ctx context.Context, o Options, name string) int {
	if o.Within <= 0 {
		o.Within = limitOf(name)
	}
	// Inside there is less time, so that a git that hangs is killed and not left.
	inside, cancel := context.WithTimeout(ctx, o.Within*9/10)
	defer cancel()
	ctx, cancelAll := context.WithTimeout(ctx, o.Within)
	defer cancelAll()
	type answer struct {
		text string
		err  error
	}
	e := &event{Options: o, name: name}
	done := make(chan answer, 1)
	go func() {
		text, err := e.guarded(inside)
		done <- answer{text, err}
	}()
	select {
	case a := <-done:
		if a.err == nil && a.text != "" {
			_, a.err = io.WriteString(o.Out, a.text)
		}
		e.settle(a.err == nil && a.text != "")
		e.report(a.err)
	case <-ctx.Done(): // whatever hangs is left behind; the process ends
		go func() { <-done; e.settle(false) }()
		note(o.Home, o.now(), name, fmt.Errorf("gave up after %s", o.Within))
	}
	return 0
}

// settle notes what became of the answer.
func (e *event) settle(answered bool) {
	if e.back != nil && answered {
		e.report(e.back.Delivered())
	} else if e.back != nil {
		e.back.Release()
	}
	if e.after != nil && answered {
		e.after()
	}
}

func (e *event) guarded(ctx context.Context) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	answer := map[string]func(context.Context) (string, error){
		SessionStart: e.sessionStart, SessionEnd: e.sessionEnd, PreCompact: e.preCompact, UserPrompt: e.userPrompt,
		PostToolUse: e.postToolUse, Stop: e.stop, SubagentStart: e.subagentStart, SubagentStop: e.subagentStop,
		CwdChanged: e.cwdChanged, PostCompact: e.postCompact, Closing: e.closing, Recovering: e.recovering,
		Keeping: e.keeping, Watched: e.watched,
	}[e.name]
	if answer == nil {
		return "", fmt.Errorf("unknown event %q", e.name)
	}
	if e.input, err = readInput(ctx, e.In); err != nil {
		return "", err
	}
	if e.Elsewhere != nil && e.Elsewhere(e.name) {
		return "", nil
	}
	if e.name == Watched && e.input.dir("") == "" { // elsewhere is no place for what it says
		return "", fmt.Errorf("session '%s': its folder '%s' is gone", e.session(), e.input.Dir)
	}
	e.mem, err = e.Open(ctx, e.input.dir(e.Dir), e.session())
	if err != nil {
		return "", err
	}
	defer e.mem.Close()
	if err := e.mem.Store.Enabled(); err != nil {
		e.off = true
		if e.name == Watched { // who waits for it hears that nothing is left to do
			return answer(ctx)
		}
		return "", err
	}
	if e.name != Watched { // which no client called
		noteCall(e.mem.Store.CommonDir()+"/sage", e.name, e.now())
	}
	e.report(e.noteTranscript(ctx))
	defer e.reportCost()
	return answer(ctx)
}

// report writes down what went wrong. Having no memory here is nothing wrong.
func (e *event) report(err error) {
	if err == nil || errors.Is(err, gitstore.ErrNotRepository) || errors.Is(err, gitstore.ErrDisabled) {
		return
	}
	dir := e.Home
	if e.mem != nil && e.mem.Store != nil {
		dir = e.mem.Store.CommonDir() + "/sage"
	}
	note(dir, e.now(), e.name, err)
}

func (o Options) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}
