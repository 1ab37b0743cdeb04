package mcp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall"
)

// TestSessionWithoutHooksIsGreeted: what a hook would put in front of a session stands
// before the first answer, once, and without what that call changes.
func TestSessionWithoutHooksIsGreeted(t *testing.T) {
	_, opener := repository(t)
	first := open(t, Options{Open: opener, Session: "first"})
	if text := first.do("sage_health", nil); strings.Contains(text, "<sage-memory") {
		t.Errorf("greeted with nothing to say:\n%s", text)
	}
	first.do("sage_save_checkpoint", thought("Stripe wins."))

	second := open(t, Options{Open: opener, Session: "second"})
	text := second.do("sage_save_checkpoint", thought("Adyen wins."), "<sage-memory", "Stripe wins.", "Saved ")
	greeting, answer, _ := strings.Cut(text, "</sage-memory")
	if !strings.HasPrefix(text, "<sage-memory") || strings.Contains(greeting, "Adyen wins.") || !strings.Contains(answer, "Saved ") {
		t.Errorf("greeted with\n%s", text)
	}
	if text := second.do("sage_version", nil); strings.Contains(text, "<sage-memory") {
		t.Errorf("greeted twice:\n%s", text)
	}
	again := open(t, Options{Open: opener, Session: "second"}) // the server is started anew
	if text := again.do("sage_version", nil); strings.Contains(text, "<sage-memory") {
		t.Errorf("a session is greeted by every server:\n%s", text)
	}
}

// TestGreetingKnowsTheProject: what the project's name recalls, and what is to be done,
// is in the greeting.
func TestGreetingKnowsTheProject(t *testing.T) {
	dir, opener := repository(t)
	must(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/payments-api\n"), 0o644))
	k := open(t, Options{Open: opener, Session: "first"})
	k.do("sage_save_knowledge", fact("stripe-intents", "One-time charges go through PaymentIntents.", "keywords", []any{"payments-api"}))
	k.do("sage_save_knowledge", fact("rotate-keys", "Rotate the signing keys.", "item_type", "todo"))
	second := open(t, Options{Open: opener, Session: "second"})
	text := second.do("sage_version", nil, "<sage-memory", "One-time charges", "Rotate the signing keys.", "git-sage 1.2.3")
	if a, b := strings.Count(text, "<sage-memory"), strings.Count(text, "</sage-memory"); a != b {
		t.Errorf("%d fences open, %d close:\n%s", a, b, text)
	}
}

// TestSessionWithHooksIsNotGreeted: it was shown that already.
func TestSessionWithHooksIsNotGreeted(t *testing.T) {
	_, opener := repository(t)
	open(t, Options{Open: opener, Session: "first"}).do("sage_save_checkpoint", thought("Stripe wins."))
	m, err := opener(context.Background(), "hooked")
	if err == nil {
		err = m.Store.Session.Begin(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	if text := open(t, Options{Open: opener, Session: "hooked"}).do("sage_health", nil); strings.Contains(text, "<sage-memory") {
		t.Errorf("greeted although a hook was there:\n%s", text)
	}
}

// TestGreetingWaitsForRoom: it and an answer together must not be more than the client
// takes; it comes with the next answer then.
func TestGreetingWaitsForRoom(t *testing.T) {
	_, opener := repository(t)
	open(t, Options{Open: opener, Session: "first"}).do("sage_save_checkpoint", thought("Long.", "reasoning_trace", strings.Repeat("evidence of every kind ", 10_000)))
	k := open(t, Options{Open: opener, Session: "second"})
	text := k.do("sage_load_checkpoint", map[string]any{"checkpoint_id": "@", "full": true}, "cut here")
	if strings.Count(text, "<sage-memory") != 1 || texts.Size(text) > 50_000 {
		t.Errorf("an answer of %d characters was made longer", texts.Size(text))
	}
	k.do("sage_version", nil, "<sage-memory", "Long.", "git-sage 1.2.3")
	if text := k.do("sage_version", nil); strings.Contains(text, "<sage-memory") {
		t.Errorf("greeted twice:\n%s", text)
	}
}

// TestOneOfManyIsGreeted: of calls that come at once, one has it.
func TestOneOfManyIsGreeted(t *testing.T) {
	_, opener := repository(t)
	open(t, Options{Open: opener, Session: "first"}).do("sage_save_checkpoint", thought("Stripe wins."))
	k := open(t, Options{Open: opener, Session: "second"})
	go func() {
		for range 10 {
			k.id++
			k.send(`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", k.id) + `","method":"tools/call","params":{"name":"sage_version"}}`)
		}
	}()
	greeted := 0
	for range 10 {
		text := k.next().Result["content"].([]any)[0].(map[string]any)["text"].(string)
		greeted += strings.Count(text, "Stripe wins.")
	}
	if text := k.do("sage_version", nil); greeted+strings.Count(text, "Stripe wins.") != 1 {
		t.Errorf("greeted %d times", greeted)
	}
}

// TestGreetingIsNotLost: a memory that cannot be opened at first greets later.
func TestGreetingIsNotLost(t *testing.T) {
	_, opener := repository(t)
	open(t, Options{Open: opener, Session: "first"}).do("sage_save_checkpoint", thought("Stripe wins."))
	broken := true
	k := open(t, Options{Session: "second", Open: func(ctx context.Context, s string) (*recall.Memory, error) {
		if broken {
			return closed(ctx, s)
		}
		return opener(ctx, s)
	}})
	k.do("sage_version", nil, "git-sage 1.2.3")
	broken = false
	k.do("sage_version", nil, "Stripe wins.")
}
