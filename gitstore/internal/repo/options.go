package repo

import (
	"errors"
	"time"

	"github.com/git-sage/git-sage/gitstore/redact"
)

// Options say which store to open, and on whose behalf.
type Options struct {
	Dir     string                               // where to look for the repository; "" is the working directory
	Global  bool                                 // open the user's own store, Home/memory.git, wherever Dir is
	Folder  string                               // with Global: the folder outside of git whose line is meant; "" is none
	Home    string                               // the user-wide folder, usually ~/.sage
	Env     []string                             // environment for git, in the form of os.Environ
	Guest   bool                                 // a hook or server: GIT_DIR and the like in Env are somebody else's, drop them
	Session string                               // session of the agent on whose behalf this is; "" is a person at a shell
	Agent   string                               // name of the agent, recorded in what it saves
	Person  bool                                 // a person is at work, and no agent: what they confirm or say anew they stand for
	Now     func() time.Time                     // the clock; nil is time.Now
	Redact  *redact.Redactor                     // nil is redact.Default()
	Writing bool                                 // a save follows: what it needs is asked beside the discovery
	After   func(time.Duration) <-chan time.Time // the clock of [ledger.Ledger.Tell]; nil is time.After
}

// Questions that callers ask of an error.
var (
	ErrNotFound = errors.New("no such checkpoint")
	ErrNotKept  = errors.New("cannot save the session's position") // what was asked for is there all the same
	ErrDamaged  = errors.New("is damaged")
	ErrExists   = errors.New("already exists")
	ErrRemoved  = errors.New("checkpoint is removed")
	ErrNothing  = errors.New("nothing to do")
	ErrNoCommit = errors.New("is not a commit of the knowledge")
	ErrNoPerson = errors.New("only a person can confirm: run this in a terminal of your own, not through an agent")
	// ErrNoSharing says that an agent wants to let something leave.
	ErrNoSharing = errors.New("only a person can share: run this in a terminal of your own, not through an agent")
	ErrChanged   = errors.New("it changed since it was shown; look again")
	ErrNewer     = errors.New("made by a newer git-sage; upgrade this one")
)

// ErrGone says that a tree names what git does not have.
var ErrGone = Unsoundf("it is missing from git")
