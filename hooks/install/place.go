package install

import (
	"errors"
	"fmt"
	"path/filepath"
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

// A Place is a machine, as far as this package looks at it, and a client on it.
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

var errNoProject = errors.New("not in a project, only scope 'user' can be used here: '--scope user'")

// file is where a part has its entries. Linked files are the owner's affair in
// a home folder; in a project they may come from a stranger.
func (p Place) file(part Part, s Scope) (path string, follow bool, err error) {
	if p.Home == "" {
		return "", false, errors.New("no home folder")
	}
	if k := p.Client.kind(); k != nil {
		return k.file(p, part, s)
	}
	if s != User && p.Root == "" {
		return "", false, errNoProject
	}
	settings, state := p.settings(), p.Home
	if p.ConfigDir != "" {
		state = p.ConfigDir
	}
	switch {
	case part == MCP && s == Project:
		return filepath.Join(p.Root, ".mcp.json"), false, nil
	case part == MCP:
		return filepath.Join(state, ".claude.json"), true, nil
	case s == User:
		return filepath.Join(settings, "settings.json"), true, nil
	case s == Project:
		return filepath.Join(p.Root, ".claude", "settings.json"), false, nil
	}
	return filepath.Join(p.Root, ".claude", "settings.local.json"), false, nil
}

// settings is the folder in which Claude Code keeps what is the person's.
func (p Place) settings() string {
	if p.ConfigDir != "" {
		return p.ConfigDir
	}
	return filepath.Join(p.Home, ".claude")
}

// command is how the entries call git-sage. A file that a team shares cannot
// hold a path of one machine.
func (p Place) command(s Scope) (string, error) {
	if s == Project {
		return program, nil
	}
	if !filepath.IsAbs(p.Bin) {
		return "", fmt.Errorf("the path of git-sage is not absolute: '%s'", p.Bin)
	}
	return p.Bin, nil
}

// project is the key of the project in Claude Code's own file: the real path
// of the main work tree, also for linked ones (seen in 2.1.329).
func (p Place) project() string {
	dir := p.Main
	if dir == "" {
		dir = p.Root
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.ToSlash(dir)
}

// servers is the path of keys to the object that holds the servers of a scope.
func (p Place) servers(s Scope) []string {
	if k := p.Client.kind(); k != nil {
		return k.servers
	}
	if s == Local {
		return []string{"projects", p.project(), "mcpServers"}
	}
	return []string{"mcpServers"}
}
