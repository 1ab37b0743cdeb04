package hooks

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"time"

	"github.com/git-sage/git-sage/converse"
)

// limit is above what a slow disk needs and below what a person notices as a
// hang. The client itself would wait for 60 s.
const limit = 2 * time.Second

const (
	// compactingWithin is above what saving takes before a compaction, which takes longer.
	compactingWithin = 8 * time.Second
	// keepingWithin is above what a transcript of 1 GB takes, which is gone on with all the
	// same: 300 MB take half a minute.
	keepingWithin = 10 * time.Minute
	// distillingWithin is what a process takes at most for the conversations that wait: the
	// rest is for the next.
	distillingWithin = 20 * time.Minute
)

// limitOf is the limit of an event.
func limitOf(name string) time.Duration {
	switch name {
	case Closing, Recovering, Watched:
		return time.Minute
	case PreCompact:
		return compactingWithin
	case Keeping:
		return keepingWithin
	case Distilling:
		return distillingWithin
	}
	return limit
}

// Run answers one event and returns the exit status, which is always 0: any
// other would be shown as an error or block the client. An unknown event is
// answered with nothing, for settings may be newer than the program.
func Run(ctx context.Context, o Options, name string) int {
	if slices.Contains(o.Env, converse.Guard+"=1") { // of the client that distils
		return 0
	}
	if o.Within <= 0 {
		o.Within = limitOf(name) * time.Duration(max(1, o.Slack))
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
	for _, note := range e.after {
		if answered {
			note()
		}
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
		PreToolUse: e.preToolUse, PostToolUse: e.postToolUse, ToolFailure: e.toolFailure, Stop: e.stop, SubagentStart: e.subagentStart, SubagentStop: e.subagentStop,
		CwdChanged: e.cwdChanged, PostCompact: e.postCompact, Closing: e.task, Recovering: e.task,
		Keeping: e.task, Distilling: e.task, Watched: (&watched{event: e}).answer,
	}[e.name]
	if answer == nil {
		return "", fmt.Errorf("unknown event %q", e.name)
	}
	if err = e.readInput(ctx); err != nil {
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
	e.agent = e.agentOf(e.mem)
	if err := e.mem.Store.Repo.Enabled(); err != nil {
		e.off = true
		if e.name == Watched { // who waits for it hears that nothing is left to do
			return answer(ctx)
		}
		return "", err
	}
	if e.name != Watched { // which no client called
		noteCall(e.mem.Store.Repo.Folder(), e.name, e.now())
	}
	e.report(e.noteTranscript(ctx))
	defer e.reportCost()
	return answer(ctx)
}

// readInput reads what the client says, for which no event waits longer than most take.
func (e *event) readInput(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, limit*time.Duration(max(1, e.Slack))*9/10)
	defer cancel()
	e.input, err = readInput(ctx, e.In)
	return err
}

// task does what an event left to a process of its own.
func (e *event) task(ctx context.Context) (string, error) { return "", e.agent.Do(ctx, e.name) }

// noteTranscript remembers where the session's transcript is, for who saves on its behalf.
func (e *event) noteTranscript(ctx context.Context) error {
	file := e.input.transcript()
	if file == "" || e.input.Agent != "" {
		return nil
	}
	return e.state().NoteTranscript(ctx, file)
}
