package install

import (
	"errors"
	"fmt"
	"path/filepath"
)

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
