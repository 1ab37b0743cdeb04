package place

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// A Kind is what is known of a client.
type Kind struct {
	Name    Client
	title   string
	says    string // how the name begins that it tells servers, in small letters
	user    func(Place) string
	project []string // the file in a project, as names of folders and file
	other   string   // name of that file with comments, in its place if it is there
	Servers []string // keys on the way to the servers
	Entry   func(command string) jsonc.Object
	TOML    bool
	Shared  string // what else a project's file needs to be obeyed
	Trusted string // what any file needs
}

// Kinds are those beside Claude Code, each with the page of its documentation by which
// it was written, as that was in November 2026, and the version that was seen to list the
// server from both of its files, and, but for Codex, to connect to it.
var Kinds = []Kind{
	{ // developers.openai.com/codex/mcp; 0.169.0
		Name: "codex", title: "Codex", says: "codex", TOML: true,
		user:    func(p Place) string { return filepath.Join(p.env("CODEX_HOME", ".codex"), "config.toml") },
		project: []string{".codex", "config.toml"}, Servers: []string{entry.TableOfServers},
		Shared: "Codex reads it only in a trusted project",
	},
	{ // cursor.com/docs/mcp; not seen
		Name: "cursor", title: "Cursor", says: "cursor",
		user:    func(p Place) string { return filepath.Join(p.Home, ".cursor", "mcp.json") },
		project: []string{".cursor", "mcp.json"}, Servers: []string{"mcpServers"}, Entry: entry.ServerEntry,
	},
	{ // geminicli.com/docs/tools/mcp-server; 0.61.0
		Name: "gemini", title: "Gemini CLI", says: "gemini-cli",
		user:    func(p Place) string { return filepath.Join(p.Home, ".gemini", "settings.json") },
		project: []string{".gemini", "settings.json"}, Servers: []string{"mcpServers"},
		Entry:   func(command string) jsonc.Object { return entry.ServerEntry(command)[1:] }, // it knows by the keys
		Trusted: "Gemini CLI starts servers only in trusted folders",
	},
	{ // code.visualstudio.com/docs/agents/reference/mcp-configuration; not seen
		Name: "vscode", title: "VS Code", says: "visual-studio-code",
		user:    func(p Place) string { return filepath.Join(p.programs(), "Code", "User", "mcp.json") },
		project: []string{".vscode", "mcp.json"}, Servers: []string{"servers"}, Entry: entry.ServerEntry,
	},
	{ // opencode.ai/docs/mcp-servers, of 1.x, which 2.x reads, too; 1.18.33
		Name: "opencode", title: "opencode", says: "opencode", other: "opencode.jsonc",
		user: func(p Place) string {
			return filepath.Join(p.env("XDG_CONFIG_HOME", ".config"), "opencode", "opencode.json")
		},
		project: []string{"opencode.json"}, Servers: []string{"mcp"}, Entry: listEntry,
	},
}

// listEntry is the entry of a client that has program and arguments in one list.
func listEntry(command string) jsonc.Object {
	return jsonc.Object{{Key: "type", Value: "local"}, {Key: "command", Value: []any{command, "mcp", "serve"}}, {Key: "enabled", Value: true}}
}

// Clients are the names of all, Claude Code's first.
func Clients() (names []Client) {
	names = append(names, Claude)
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// ParseClient reads the name of a client. The error names all there are.
func ParseClient(s string) (Client, error) {
	if slices.Contains(Clients(), Client(s)) {
		return Client(s), nil
	}
	var names []string
	for _, c := range Clients() {
		names = append(names, string(c))
	}
	last := len(names) - 1
	return "", fmt.Errorf("unknown client '%s', expected %s or %s", s, strings.Join(names[:last], ", "), names[last])
}

// ClientOf is the client that tells servers such a name, as codex-mcp-client, cursor-vscode
// or Visual Studio Code; Claude Code if it is none of the others that are known.
func ClientOf(name string) Client {
	name = strings.ReplaceAll(strings.ToLower(name), " ", "-")
	for _, k := range Kinds {
		if rest, ok := strings.CutPrefix(name, k.says); ok && (rest == "" || rest[0] == '-') {
			return k.Name
		}
	}
	return Claude
}

// Title is what people call a client.
func (c Client) Title() string {
	if k := c.Kind(); k != nil {
		return k.title
	}
	return "Claude Code"
}

// Kind is what is known of a client; nil of Claude Code.
func (c Client) Kind() *Kind {
	if i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == c }); i >= 0 {
		return &Kinds[i]
	}
	return nil
}

// file is where a client has its servers. In a project nothing is written through a
// link, see package disk.
func (k *Kind) file(p Place, part Part, s Scope) (path string, follow bool, err error) {
	switch {
	case part != MCP:
		return "", false, fmt.Errorf("%s has no hooks of git-sage", k.title)
	case s == Local:
		return "", false, fmt.Errorf("%s has no scope 'local', only user and project", k.title)
	case s == User:
		path, follow = k.user(p), true
	case p.Root == "":
		return "", false, ErrNoProject
	default:
		path = filepath.Join(append([]string{p.Root}, k.project...)...)
	}
	if !filepath.IsAbs(path) {
		return "", false, errors.New("'" + path + "' is not an absolute path")
	}
	if other := filepath.Join(filepath.Dir(path), k.other); k.other != "" && !disk.Exists(path) && disk.Exists(other) {
		path = other
	}
	return path, follow, nil
}

// env is a folder that a variable names, or the usual one at home.
func (p Place) env(name, usual string) string {
	if p.Getenv != nil {
		if dir := p.Getenv(name); dir != "" {
			return dir
		}
	}
	return filepath.Join(p.Home, usual)
}

// programs is where programs with windows keep what is the person's.
func (p Place) programs() string {
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(p.Home, "Library", "Application Support")
	case "windows":
		return p.env("APPDATA", filepath.Join("AppData", "Roaming"))
	}
	return p.env("XDG_CONFIG_HOME", ".config")
}
