package install

import (
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/status"
)

// What the rooms below call so.
type (
	Scope   = place.Scope
	Part    = place.Part
	Client  = place.Client
	Result  = mend.Result
	State   = status.State
	Finding = status.Finding
)

// The scopes.
const (
	User    = place.User    // this person, everywhere
	Project = place.Project // everybody who works on the project; the file is shared
	Local   = place.Local   // this person, in this project
)

// The parts.
const (
	Hooks = place.Hooks // calls at the start of a session and before a compaction
	MCP   = place.MCP   // the server
)

// Claude is Claude Code, and what a [Place] is of that names no other.
const Claude = place.Claude

// PluginID is the plugin of this repository, as Claude Code's settings name it once it
// is installed: plugin and marketplace.
const PluginID = status.PluginID

// HookTool is the tool of the server that answers an event in the place of a program.
const HookTool = entry.HookTool

// ParseScope reads a scope. The error names the three there are.
func ParseScope(s string) (Scope, error) { return place.ParseScope(s) }

// Clients are the names of all, Claude Code's first.
func Clients() []Client { return place.Clients() }

// ParseClient reads the name of a client. The error names all there are.
func ParseClient(s string) (Client, error) { return place.ParseClient(s) }

// ClientOf is the client that tells servers such a name, as codex-mcp-client, cursor-vscode
// or Visual Studio Code; Claude Code if it is none of the others that are known.
func ClientOf(name string) Client { return place.ClientOf(name) }

// Event is what the client calls the event of 'git sage hook <arg>'; arg where it has none.
func Event(arg string) string { return entry.EventName(arg) }
