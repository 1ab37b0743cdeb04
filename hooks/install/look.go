package install

import (
	"os"
	"os/exec"
	"path/filepath"
)

// look reads the file of a part to find something out; nil if that cannot be done.
func (p Place) look(part Part, s Scope) *draft {
	path, _, err := p.file(part, s)
	if err != nil {
		return nil
	}
	return p.readFile(path)
}

// readFile reads a file of the client's to find something out; nil if it cannot be read,
// or holds nothing.
func (p Place) readFile(path string) *draft {
	t, err := open(path, true)
	if err != nil {
		return nil
	}
	d, err := p.read(t.data)
	if err != nil || d.root == nil {
		return nil
	}
	return d
}

// read parses a file of the client's.
func (p Place) read(src []byte) (*draft, error) {
	k := p.Client.kind()
	return (&draft{toml: k != nil && k.toml}).next(src, nil, true)
}

// scopes are those that there can be here, the nearest to the work last.
func (p Place) scopes() []Scope {
	switch {
	case p.Root == "":
		return []Scope{User}
	case p.Client.kind() != nil:
		return []Scope{User, Project}
	}
	return []Scope{User, Project, Local}
}

// parts are those that the client can have.
func (p Place) parts() []Part {
	if p.Client.kind() != nil {
		return []Part{MCP}
	}
	return []Part{MCP, Hooks}
}

func canRun(command string) bool {
	if !filepath.IsAbs(command) {
		_, err := exec.LookPath(command)
		return err == nil
	}
	info, err := os.Stat(command)
	return err == nil && info.Mode().IsRegular()
}
