// Package client has what is known of a client: its name, its folders, the modules of tools that it is
// offered, and the world that its calls may use.
package client

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/save"
)

// A Client is what is known of who is served, and what its calls may use.
type Client struct {
	Options
	log      *log.Logger
	Send     func(message any)                       // tells the client something unasked
	prompted func(modules []string) (names []string) // the prompts of modules

	mu    sync.Mutex // guards what follows
	agent string     // what the client calls itself
	known string     // the session that was greeted, or needs not be
	held  string     // greeting that did not fit into an answer yet
	shook bool       // hands: the client is of the protocol with initialize

	greetedBack, ready bool // the handshake: initialize was answered, and the client said that it goes on

	hasRoots bool          // the client has them
	asked    int           // how often we asked for them
	rooted   chan struct{} // closed when the first answer is there, or nobody waits for it; nil: not asked

	asking sync.Mutex // guards offers
	offers []string   // modules; nil: nobody asked yet
}

// New returns a client that is told things by send, and has the prompts that prompted
// names.
func New(o Options, logs *log.Logger, send func(message any), prompted func(modules []string) []string) *Client {
	return &Client{Options: o, log: logs, Send: send, prompted: prompted}
}

// Logf writes a line for whoever looks for what went wrong inside.
func (c *Client) Logf(format string, args ...any) { c.log.Printf(format, hint.Args(args)...) }

// Met takes note of the name of the client; "" says nothing.
func (c *Client) Met(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if client != "" {
		c.agent = client
	}
}

// AgentName is what the client calls itself.
func (c *Client) AgentName() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.agent
}

// Shakes takes note of initialize, and whether the client can tell its folders.
func (c *Client) Shakes(hasRoots bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shook, c.hasRoots = true, hasRoots
}

// AnsweredBack takes note that initialize was answered.
func (c *Client) AnsweredBack() { c.shaken(&c.greetedBack) }

// GoesOn takes note that the client said so behind initialize.
func (c *Client) GoesOn() { c.shaken(&c.ready) }

// IsNew reports whether a session has not been greeted, and takes note that it is now.
func (c *Client) IsNew(session string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.known
	c.known = session
	return known != session
}

// Hold keeps a greeting for the next answer. If it failed, the session is new again.
func (c *Client) Hold(greeting string, failed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = greeting
	if failed {
		c.known = ""
	}
}

// Greeted puts what the session should be told before an answer, if both fit; else it
// waits for the next.
func (c *Client) Greeted(answer string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == "" || texts.Size(c.held)+texts.Size(answer) > texts.MaxChars {
		return answer
	}
	answer = c.held + "\n\n" + answer
	c.held = ""
	return answer
}

// Explain says what went wrong and what to do about it.
func (c *Client) Explain(err error) string {
	var many *gitstore.AmbiguousError
	var no *gitstore.NoItemError
	var invalid *save.InvalidError
	switch text := texts.Error(err); {
	case errors.As(err, &many):
		for _, r := range many.Candidates {
			text += fmt.Sprintf("\n  %s %s", r.ID[:max(12, many.Digits())], provenance.Byline(r)+texts.OneLine(provenance.Said(r.Own, r.Description), 72))
		}
		return text + "\nGive more digits."
	case errors.As(err, &invalid) && len(invalid.Missing) > 0:
		return text + ". Give " + strings.Join(invalid.Missing, ", ") + " as arguments beside the others."
	case errors.Is(err, gitstore.ErrBroken):
		return text + ". The user has to fix that: tell them."
	case errors.Is(err, gitstore.ErrDisabled):
		return text + ". The user switched the memory off here: leave it off, and do not try again."
	case errors.Is(err, gitstore.ErrRemoved):
		return text + ". `git sage checkpoint restore --removed` restores it, if the user wants that."
	case errors.Is(err, gitstore.ErrDamaged):
		return text
	case errors.As(err, &no):
		return text + ". " + texts.ListItems + "."
	case errors.Is(err, gitstore.ErrNotFound):
		return text + ". " + texts.ListCheckpoints + "."
	case errors.Is(err, gitstore.ErrName):
		return text + ". A name has at most 100 lower-case letters, digits, '.', '_' and '-', and starts with a letter or digit."
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return text + ". Nothing was changed unless a list shows it; try again."
	default:
		c.log.Print(hint.Error(err))
		return text
	}
}
