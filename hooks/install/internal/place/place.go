// Package place says where each client keeps its settings on a machine, for which scopes,
// and under which keys. What the files of other clients than Claude Code look like, and by
// which page of their documentation, stands in client.go.
package place

import (
	"errors"
	"fmt"
)

// A Scope says for whom something is installed, in Claude Code's words.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // this person, everywhere
	Project Scope = "project" // everybody who works on the project; the file is shared
	Local   Scope = "local"   // this person, in this project
)

// ParseScope reads a scope. The error names the three there are.
func ParseScope(s string) (Scope, error) {
	switch sc := Scope(s); sc {
	case User, Project, Local:
		return sc, nil
	}
	return "", fmt.Errorf("unknown scope '%s', expected user, project or local", s)
}

// A Part is what can be installed.
type Part string

// The parts.
const (
	Hooks Part = "hooks" // calls at the start of a session and before a compaction
	MCP   Part = "mcp"   // the server
)

// A Place is a machine, as far as it matters here, and a client on it.
type Place struct {
	Client    Client // "" is Claude Code
	Home      string // the home folder
	ConfigDir string // $CLAUDE_CONFIG_DIR; "" is the usual places in Home
	Root      string // the work tree; "" is outside of any project
	Main      string // the main work tree, of which Root may be a linked one; "" is Root
	Bin       string // absolute path of git-sage
	Records   string // folder of the records, usually ~/.sage/installs
	Managed   string // folder of what an administrator says; "" is Claude Code's own
	DryRun    bool   // say what would change, and write nothing
	Programs  bool   // hooks start a program at every event, where else they would ask the server
	Typed     bool   // a compaction that a person types is told of before it, too: autosave ask holds it
	Chosen    bool   // somebody says so of Programs: else it is as was chosen before, if ever

	// Planned are servers of Claude Code that are about to come (true) or to go: a dry run
	// of what depends on them takes this for what the files say.
	Planned map[Scope]bool

	// Excludes is asked to keep a file out of git that is for the person alone; nil
	// does without.
	Excludes Excludes

	Getenv func(string) string // by which other clients find their folders; nil finds none
}

// Excludes is the list of files that git passes over in one clone. A line is a path from
// the top of the work tree, as "/.claude/settings.local.json". Exclude and Include return
// the list's file, "" if there was nothing to do, and write nothing if dry is set.
type Excludes interface {
	Tracked(line string) bool
	Exclude(line string, dry bool) (list string, err error)
	Include(line string, dry bool) (list string, err error)
}

// ErrNoProject is for a scope of a project where there is none.
var ErrNoProject = errors.New("not in a project, so only scope 'user' can be used: add '--scope user'")

// A Client is a program that can be given the server. Only Claude Code has hooks and
// the scope local, too.
type Client string

// Claude is Claude Code, and what a [Place] is of that names no other.
const Claude Client = "claude"
