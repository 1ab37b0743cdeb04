package mcp

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/mcp/internal/toolset"
	"github.com/git-sage/git-sage/mcp/internal/upkeep"
	"github.com/git-sage/git-sage/recall"
)

type openFunc = func(context.Context, string) (*recall.Memory, error)

// compacted marks that a session lost what was in front of it, as a hook does.
func compacted(t *testing.T, opener openFunc, session, reason string) {
	t.Helper()
	m, err := opener(t.Context(), session)
	if err == nil {
		defer m.Close()
		err = m.Continuity.Mark(t.Context(), gitstore.Marker{Reason: reason})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func waits(t *testing.T, opener openFunc) int {
	t.Helper()
	m, err := opener(context.WithoutCancel(t.Context()), "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	list, err := m.Store.Session.Markers(true)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

const broughtBack = `origin="git-sage continuity"`

// TestNextCallBringsBack: what a compaction took stands before the next answer of a call
// that works, in a fence, once, and as it was before that call changed anything.
func TestNextCallBringsBack(t *testing.T) {
	_, opener := repository(t)
	t.Cleanup(func() { // behind the server's end: it lets go of a marker behind its answer
		if n := waits(t, opener); n != 0 {
			t.Errorf("%d wait", n)
		}
	})
	k := open(t, Options{Open: opener, Session: "one"})
	k.do("sage_save_checkpoint", thought("Stripe wins."))
	k.do("sage_continuity_status", nil, "Nothing to restore to session one.")
	compacted(t, opener, "one", "precompact-auto")
	open(t, Options{Open: opener, Session: "two"}).do("sage_continuity_status", nil, "Nothing to restore")
	k.fail("sage_load_checkpoint", map[string]any{"checkpoint_id": "nosuch"})
	text := k.do("sage_save_checkpoint", thought("Adyen wins."), broughtBack, "Stripe wins.", "Saved ")
	back, answer, _ := strings.Cut(text, "</sage-memory")
	if !strings.HasPrefix(text, "<sage-memory") || strings.Contains(back, "Adyen") || !strings.Contains(answer, "Saved ") {
		t.Errorf("brought back:\n%s", text)
	}
	if text := k.do("sage_version", nil); strings.Contains(text, "<sage-memory") {
		t.Errorf("twice:\n%s", text)
	}
	compacted(t, opener, "one", "precompact-manual")
	k.do("sage_continuity_status", nil, broughtBack, "Adyen wins.", "Restored above, once", "session one (typed /compact)", "Context was compacted.")
	compacted(t, opener, "one", "Free text of anybody's.")
	_, answer, _ = strings.Cut(k.do("sage_continuity_status", nil, "Free text"), "</sage-memory")
	if strings.Contains(answer, "Free text") {
		t.Errorf("outside of the fence: %s", answer)
	}
}

// TestOneOfManyBringsBack: of calls that come at once to two servers one has it.
func TestOneOfManyBringsBack(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener, Session: "one"})
	k.do("sage_save_checkpoint", thought("Stripe wins."))
	other := open(t, Options{Open: opener, Session: "one"})
	other.do("sage_version", nil)
	compacted(t, opener, "one", "precompact-auto")
	const call = `","method":"tools/call","params":{"name":"sage_version"}}`
	for _, k := range []*talk{k, other} {
		go func() {
			for i := range 10 {
				io.WriteString(k.In, `{"jsonrpc":"2.0","id":"`+strings.Repeat("x", i+1)+call+"\n")
			}
		}()
	}
	n := 0
	for range 10 {
		for _, k := range []*talk{k, other} {
			n += strings.Count(k.next().Result["content"].([]any)[0].(map[string]any)["text"].(string), broughtBack)
		}
	}
	if text := k.do("sage_version", nil); n+strings.Count(text, broughtBack) != 1 {
		t.Errorf("brought back %d times, and then\n%s", n, text)
	}
}

// TestContinuityWaitsForRoom: it and an answer must not be more than the client takes.
func TestContinuityWaitsForRoom(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener, Session: "one"})
	k.do("sage_save_checkpoint", thought("Long.", "reasoning_trace", strings.Repeat("evidence of every kind ", 10_000)))
	compacted(t, opener, "one", "precompact-auto")
	if text := k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "@", "full": true}, "cut here"); strings.Contains(text, broughtBack) {
		t.Errorf("an answer of %d characters was made longer", texts.Size(text))
	}
	k.do("sage_version", nil, broughtBack, "Long.", "git-sage 1.2.3")
}

// TestWhoeverGoesLeavesIt: a client that does not take the answer any more has not got it.
func TestWhoeverGoesLeavesIt(t *testing.T) {
	_, opener := repository(t)
	open(t, Options{Open: opener, Session: "one"}).do("sage_save_checkpoint", thought("Stripe wins."))
	compacted(t, opener, "one", "precompact-auto")
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sage_version"}}` + "\n")
	r, w := io.Pipe()
	r.CloseWithError(errors.New("gone"))
	_ = Serve(t.Context(), Options{In: in, Out: w, Open: opener, Session: "one"})
	open(t, Options{Open: opener, Session: "one"}).do("sage_version", nil, broughtBack, "Stripe wins.")
}

// TestHooksDoNotBringBack: what the client calls at an event the model may never see.
func TestHooksDoNotBringBack(t *testing.T) {
	_, opener := repository(t)
	all := toolset.All
	defer func() { toolset.All = all }()
	called := tool.Tool{Name: "sage_at_an_event", Module: client.ModuleCore, Run: upkeep.VersionTool().Run, Hook: true}
	toolset.All = func() []tool.Tool { return append(all()[:len(all()):len(all())], called) }
	k := open(t, Options{Open: opener, Session: "one"})
	k.do("sage_save_checkpoint", thought("Stripe wins."))
	compacted(t, opener, "one", "precompact-auto")
	if text := k.do("sage_at_an_event", nil); text != "git-sage 1.2.3" {
		t.Errorf("a hook is told\n%s", text)
	}
	k.do("sage_version", nil, broughtBack)
}

// TestContinuityOff: who wants none of it is told so, and given nothing.
func TestContinuityOff(t *testing.T) {
	_, opener := repository(t)
	k := open(t, Options{Open: opener, Session: "one"})
	k.do("sage_save_checkpoint", thought("Stripe wins."))
	compacted(t, opener, "one", "precompact-auto")
	off := open(t, Options{Session: "one", Open: func(ctx context.Context, session string) (*recall.Memory, error) {
		m, err := opener(ctx, session)
		m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{NoContinuity: true} }
		return m, err
	}})
	if text := off.do("sage_continuity_status", nil, "continuity_enabled is false"); strings.Contains(text, broughtBack) {
		t.Errorf("brought back:\n%s", text)
	}
	fresh := open(t, Options{Session: "two", Open: func(ctx context.Context, session string) (*recall.Memory, error) {
		m, err := opener(ctx, session)
		m.Stores.Options.Settings = func() recall.Settings { return recall.Settings{NoContinuity: true} }
		return m, err
	}})
	for range 2 {
		if text := fresh.do("sage_version", nil); strings.Contains(text, "<sage-memory") {
			t.Errorf("a session that no hook told anything is greeted:\n%s", text)
		}
	}
	k.do("sage_version", nil, broughtBack)
}

// TestServerFollowsItsClient: behind /clear the client has another session than the one
// in the server's environment, for which it acts from then on.
func TestServerFollowsItsClient(t *testing.T) {
	_, opener := repository(t)
	var now atomic.Value
	now.Store("")
	k := open(t, Options{Open: opener, Session: "first", Client: func() string { return now.Load().(string) }})
	k.do("sage_health", nil, "Session: first")
	k.do("sage_save_checkpoint", thought("Stripe wins."))
	now.Store("second")
	k.do("sage_health", nil, "<sage-memory", "Stripe wins.", "Session: second") // no hook showed it anything
	compacted(t, opener, "first", "precompact-auto")
	k.do("sage_continuity_status", nil, "Nothing to restore to session second.")
	k.do("sage_save_checkpoint", thought("Adyen wins."))
	m, err := opener(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	records, err := m.Store.Commits.Log(t.Context(), gitstore.Query{})
	if err != nil || len(records) != 2 || records[0].Session != "second" || records[1].Session != "first" {
		t.Errorf("%+v %v", records, err)
	}
}
