package place

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/install/internal/entry"
)

// File is where a part has its entries. Linked files are the owner's affair in
// a home folder; in a project they may come from a stranger.
func (p Place) File(part Part, s Scope) (path string, follow bool, err error) {
	if p.Home == "" {
		return "", false, errors.New("no home folder")
	}
	if k := p.Client.Kind(); k != nil {
		return k.file(p, part, s)
	}
	if s != User && p.Root == "" {
		return "", false, ErrNoProject
	}
	settings, state := p.Settings(), p.Home
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

// Settings is the folder in which Claude Code keeps what is the person's.
func (p Place) Settings() string {
	if p.ConfigDir != "" {
		return p.ConfigDir
	}
	return filepath.Join(p.Home, ".claude")
}

// Command is how the entries call git-sage. A file that a team shares cannot
// hold a path of one machine.
func (p Place) Command(s Scope) (string, error) {
	if s == Project {
		return entry.Program, nil
	}
	if !filepath.IsAbs(p.Bin) {
		return "", fmt.Errorf("the path of git-sage is not absolute: '%s'", p.Bin)
	}
	return p.Bin, nil
}

// Project is the key of the project in Claude Code's own file: the real path
// of the main work tree, also for linked ones (seen in 2.1.329).
func (p Place) Project() string {
	dir := p.Main
	if dir == "" {
		dir = p.Root
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	return filepath.ToSlash(dir)
}

// Servers is the path of keys to the object that holds the servers of a scope.
func (p Place) Servers(s Scope) []string {
	if k := p.Client.Kind(); k != nil {
		return k.Servers
	}
	if s == Local {
		return []string{"projects", p.Project(), "mcpServers"}
	}
	return []string{"mcpServers"}
}

// OwnLine is the file with hooks of a person in a project, as git's lists name it.
const OwnLine = "/.claude/settings.local.json"

// Scopes are those that there can be here, the nearest to the work last.
func (p Place) Scopes() []Scope {
	switch {
	case p.Root == "":
		return []Scope{User}
	case p.Client.Kind() != nil:
		return []Scope{User, Project}
	}
	return []Scope{User, Project, Local}
}

// Parts are those that the client can have.
func (p Place) Parts() []Part {
	if p.Client.Kind() != nil {
		return []Part{MCP}
	}
	return []Part{MCP, Hooks}
}
