package client

import (
	"context"
	"io"

	"github.com/git-sage/git-sage/gitstore"
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

// A Setting is a setting as the front end knows it.
type Setting struct {
	Key, Value, Default string
	Source              string // where the value comes from
	Doc                 string
}
