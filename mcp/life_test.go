package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-sage/git-sage/mcp/internal/arg"
	"github.com/git-sage/git-sage/mcp/internal/conn"
	"github.com/git-sage/git-sage/mcp/internal/toolset"
	"github.com/git-sage/git-sage/recall"
)

const saveLine = `{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"sage_save_checkpoint","arguments":{"core_question":"q","thesis":"t","confidence":1}}}` + "\n"

// TestPanicIsAnswered: a tool that panics fails alone.
func TestPanicIsAnswered(t *testing.T) {
	var log strings.Builder
	k := open(t, Options{Err: &log, Open: func(context.Context, string) (*recall.Memory, error) { panic("boom") }})
	offline := map[string]bool{"sage_version": true, "sage_get_config": true, "sage_set_config": true, "sage_reload_config": true}
	for _, tool := range toolset.All() {
		if offline[tool.Name] {
			continue
		}
		r := k.ask("tools/call", map[string]any{"name": tool.Name, "arguments": plausible(tool.Params)})
		if r.Error == nil || r.Error.Code != -32603 {
			t.Errorf("%s: %+v", tool.Name, r)
		}
	}
	alive(k)
	if !strings.Contains(log.String(), "panic in tools/call: boom") {
		t.Errorf("the log says %q", log.String())
	}
}

// plausible are arguments that a tool takes: what it wants at least, and a content for
// one that wants anything.
func plausible(params []arg.Param) map[string]any {
	args := map[string]any{}
	for _, p := range params {
		switch {
		case p.Name == "content":
			args[p.Name] = "x"
		case !p.Required:
		case p.Words != nil:
			args[p.Name] = p.Words[0]
		case p.Kind == arg.Share:
			args[p.Name] = 1
		default:
			args[p.Name] = "x"
		}
	}
	return args
}

// TestFailureIsForTheModel: what goes wrong in a tool is text, not an error of
// the protocol.
func TestFailureIsForTheModel(t *testing.T) {
	k := open(t, Options{Open: closed})
	k.fail("sage_list_checkpoints", nil, "no memory here")
	k.do("sage_health", nil, "git-sage 1.2.3", "cannot be opened: no memory here")
}

// TestSaveUnderWayFinishes: when the input ends, a save that has begun is
// finished and answered.
func TestSaveUnderWayFinishes(t *testing.T) {
	_, opener := repository(t)
	began, goOn := make(chan bool), make(chan bool)
	in, out := io.Pipe()
	answers, answer := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(context.Background(), Options{In: in, Out: answer, Session: "s", Open: func(ctx context.Context, s string) (*recall.Memory, error) {
			began <- true
			<-goOn
			return opener(ctx, s)
		}})
		answer.Close()
	}()
	fmt.Fprintf(out, saveLine, "a")
	<-began
	out.Close()
	close(goOn)
	line, err := bufio.NewReader(answers).ReadString('\n')
	if err != nil || !strings.Contains(line, "Saved ") {
		t.Errorf("answer %q, %v", line, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	m, err := opener(context.Background(), "s")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Store.Close()
	if r, err := m.Store.Commits.Seen(context.Background()); err != nil || r == nil {
		t.Errorf("nothing was saved: %v", err)
	}
}

// TestEndIsNotHeldUp: a call that hangs does not keep the server from ending,
// and is told to give up.
func TestEndIsNotHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		var gaveUp atomic.Bool
		done := make(chan error, 1)
		go func() {
			done <- Serve(context.Background(), Options{In: in, Out: io.Discard, Open: func(ctx context.Context, _ string) (*recall.Memory, error) {
				<-ctx.Done()
				gaveUp.Store(true)
				return nil, ctx.Err()
			}})
		}()
		start := time.Now()
		fmt.Fprintf(out, saveLine, "a")
		synctest.Wait()
		out.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("it took %s to end", d)
		}
		synctest.Wait()
		if !gaveUp.Load() {
			t.Error("the call was not told")
		}
	})
}

// TestClientThatStopsReading: answers that nobody takes hold the server up in
// bounded space, and do not keep it from ending.
func TestClientThatStopsReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		never, answer := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- Serve(ctx, Options{In: in, Out: answer, Open: closed}) }()
		var sent atomic.Int64
		go func() {
			for i := range 10_000 {
				if _, err := fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`+"\n", i); err != nil {
					return
				}
				sent.Add(1)
			}
		}()
		synctest.Wait()
		if n := sent.Load(); n > conn.MaxPending+10 {
			t.Errorf("%d requests were taken in", n)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		never.Close()
		in.Close()
		synctest.Wait()
	})
}

// TestCancelledCallIsSilent: it is told to stop, not answered, and its id may be
// used again.
func TestCancelledCallIsSilent(t *testing.T) {
	waits := make(chan bool)
	k := open(t, Options{Open: func(ctx context.Context, _ string) (*recall.Memory, error) {
		waits <- true
		<-ctx.Done()
		waits <- true
		return nil, ctx.Err()
	}})
	k.send(`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"sage_list_checkpoints"}}`)
	<-waits
	k.send(`{"jsonrpc":"2.0","id":"c","method":"ping"}`)
	if r := k.next(); r.ID != nil || r.Error == nil || r.Error.Code != -32600 {
		t.Errorf("an id in use was taken: %+v", r)
	}
	k.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}`)
	<-waits
	alive(k)
}

// TestAnsweredIDIsFree: who has read an answer may use its id again, also while
// the server has not come back from writing it.
func TestAnsweredIDIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		answers := make(slow)
		done := make(chan error, 1)
		go func() { done <- Serve(t.Context(), Options{In: in, Out: answers, Open: closed}) }()
		ask := func() {
			fmt.Fprintln(out, `{"jsonrpc":"2.0","id":7,"method":"ping"}`)
			synctest.Wait() // taken, and the answer before it is on its way
		}
		ask()
		for range 3 {
			ask()
			if got := <-answers; !strings.Contains(got, `"id":7,"result"`) {
				t.Errorf("answered %s", got)
			}
			synctest.Wait()
		}
		<-answers
		out.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// slow hands each line over when somebody asks for it.
type slow chan string

func (s slow) Write(b []byte) (int, error) {
	s <- string(b)
	return len(b), nil
}

// TestWaitingSaveCanBeCancelled: one that has not begun does not happen.
func TestWaitingSaveCanBeCancelled(t *testing.T) {
	var opened atomic.Int32
	goOn, began := make(chan bool), make(chan bool, 2)
	k := open(t, Options{Open: func(context.Context, string) (*recall.Memory, error) {
		opened.Add(1)
		began <- true
		<-goOn
		return nil, errors.New("no memory here")
	}})
	fmt.Fprintf(k.In, saveLine+saveLine, "first", "second")
	<-began
	k.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"second"}}`)
	alive(k)
	close(goOn)
	if r := k.next(); r.ID != "first" {
		t.Errorf("%+v", r)
	}
	alive(k)
	if n := opened.Load(); n != 1 {
		t.Errorf("%d saves began", n)
	}
}

// TestManyCallsAtOnce: a thousand calls are all answered, once each.
func TestManyCallsAtOnce(t *testing.T) {
	k := open(t, Options{Open: closed})
	const n = 1000
	go func() {
		for i := range n {
			fmt.Fprintf(k.In, `{"jsonrpc":"2.0","id":"r%d","method":"tools/call","params":{"name":"sage_health"}}`+"\n", i)
		}
	}()
	seen := map[any]bool{}
	for range n {
		seen[k.next().ID] = true
	}
	if len(seen) != n {
		t.Errorf("%d of %d answered", len(seen), n)
	}
}

// TestBrokenOutputEnds: a client that is gone ends the server.
func TestBrokenOutputEnds(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	gone := errors.New("gone")
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), Options{In: in, Out: failing{gone}, Open: closed}) }()
	fmt.Fprintln(out, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := <-done; !errors.Is(err, gone) {
		t.Errorf("Serve: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestBrokenInputIsAnError: what is no end of input is said.
func TestBrokenInputIsAnError(t *testing.T) {
	in, out := io.Pipe()
	gone := errors.New("gone")
	out.CloseWithError(gone)
	if err := Serve(context.Background(), Options{In: in, Out: io.Discard, Open: closed}); !errors.Is(err, gone) {
		t.Errorf("Serve: %v", err)
	}
}

// TestAgentIsNamed: a checkpoint says which client saved it, and for which
// session, whichever protocol it speaks.
func TestAgentIsNamed(t *testing.T) {
	_, opener := repository(t)
	var once sync.Once
	var session string
	k := open(t, Options{Session: "s-1", Open: func(ctx context.Context, s string) (*recall.Memory, error) {
		once.Do(func() { session = s })
		return opener(ctx, s)
	}})
	args := map[string]any{"name": "sage_save_checkpoint", "arguments": thought("x")}
	k.ask("tools/call", modern("2026-07-28", args))
	m, err := opener(context.Background(), "s-1")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Store.Close()
	r, err := m.Store.Commits.Seen(context.Background())
	if err != nil || r == nil || r.Agent != "test" || r.Session == "" || session != "s-1" {
		t.Errorf("saved as %+v for %q: %v", r, session, err)
	}
}
