package mcp

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/save"
)

// A client is what is known of who is served, and what its calls may use.
type client struct {
	Options
	log      *log.Logger
	send     func(message any)                       // tells the client something unasked
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

// newClient returns a client that is told things by send, and has the prompts that prompted
// names.
func newClient(o Options, logs *log.Logger, send func(message any), prompted func(modules []string) []string) *client {
	return &client{Options: o, log: logs, send: send, prompted: prompted}
}

// logf writes a line for whoever looks for what went wrong inside.
func (s *client) logf(format string, args ...any) { s.log.Printf(format, args...) }

// met takes note of the name of the client; "" says nothing.
func (s *client) met(client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if client != "" {
		s.agent = client
	}
}

// agentName is what the client calls itself.
func (s *client) agentName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.agent
}

// shakes takes note of initialize, and whether the client can tell its folders.
func (s *client) shakes(hasRoots bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shook, s.hasRoots = true, hasRoots
}

// answeredBack takes note that initialize was answered.
func (s *client) answeredBack() { s.shaken(&s.greetedBack) }

// goesOn takes note that the client said so behind initialize.
func (s *client) goesOn() { s.shaken(&s.ready) }

// isNew reports whether a session has not been greeted, and takes note that it is now.
func (s *client) isNew(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.known
	s.known = session
	return known != session
}

// hold keeps a greeting for the next answer. If it failed, the session is new again.
func (s *client) hold(greeting string, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = greeting
	if failed {
		s.known = ""
	}
}

// greeted puts what the session should be told before an answer, if both fit; else it
// waits for the next.
func (s *client) greeted(answer string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held == "" || texts.Size(s.held)+texts.Size(answer) > texts.MaxChars {
		return answer
	}
	answer = s.held + "\n\n" + answer
	s.held = ""
	return answer
}

// explain says what went wrong and what to do about it.
func (s *client) explain(err error) string {
	var many *gitstore.AmbiguousError
	var no *gitstore.NoItemError
	var invalid *save.InvalidError
	switch text := err.Error(); {
	case errors.As(err, &many):
		for _, r := range many.Candidates {
			text += fmt.Sprintf("\n  %s %s", r.ID[:max(12, many.Digits())], provenance.Byline(r)+texts.OneLine(r.Description, 72))
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
		return text + ". sage_list_knowledge lists all items."
	case errors.Is(err, gitstore.ErrNotFound):
		return text + ". sage_list_checkpoints lists all checkpoints."
	case errors.Is(err, gitstore.ErrName):
		return text + ". A name has at most 100 lower-case letters, digits, '.', '_' and '-', and starts with a letter or digit."
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return text + ". Nothing was changed unless a list shows it; try again."
	default:
		s.log.Print(err)
		return text
	}
}
