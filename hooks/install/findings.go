package install

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Finding is something in Claude Code's configuration that keeps the memory from its
// sessions, or brings it to them twice.
type Finding struct {
	Detail string
	Cure   string // what to type, or to do
}

// Findings looks at Claude Code's files for what [Place.Status] does not tell: entries of
// the tool before us, hooks or the server switched off, a project that is not trusted,
// and entries that make two of one. What cannot be read finds nothing; Status tells that.
func (p Place) Findings() (list []Finding) {
	if p.Client.kind() != nil {
		return nil
	}
	for _, s := range p.scopes() {
		list = append(list, p.leftovers(s)...)
	}
	for _, path := range p.Unfinished() {
		list = append(list, Finding{path + " was left by a killed install", "rm " + quoted(path)})
	}
	if p.has(Hooks) || p.has(MCP) || p.HasPlugin() {
		list = append(list, p.switchedOff()...)
		list = append(list, p.managed()...)
		list = append(list, p.untrusted()...)
	}
	return append(list, p.twice()...)
}

// has says whether anything of a part is installed.
func (p Place) has(part Part) bool {
	return slices.ContainsFunc(p.scopes(), func(s Scope) bool {
		d := p.look(part, s)
		return d != nil && len(p.sites(d, part, s)) > 0
	})
}

// named is the file of a part, for people.
func (p Place) named(part Part, s Scope) string {
	path, _, _ := p.file(part, s) // of a scope that there is
	return path
}

// leftovers are entries of the tool that git-sage succeeds.
func (p Place) leftovers(s Scope) (list []Finding) {
	if d := p.look(Hooks, s); d != nil {
		path := p.named(Hooks, s)
		for _, c := range oldHooks(d.src, d.root) {
			list = append(list, Finding{"a hook of claude-sage is still in " + path + ": " + shown(c), "remove that entry from " + path})
		}
	}
	d := p.look(MCP, s)
	if d == nil {
		return list
	}
	n := d.root
	for _, key := range p.servers(s) {
		n = n.get(key)
	}
	for i := 0; n != nil && i < len(n.items); i++ {
		for _, c := range commands(d.src, n.items[i].val) {
			if oldServer().MatchString(c) {
				list = append(list, Finding{"a server of claude-sage is still in " + p.named(MCP, s) + ": " + shown(c), fmt.Sprintf("claude mcp remove --scope %s %s", s, shown(n.items[i].key))})
			}
		}
	}
	return list
}

// isTrue says whether a value is true.
func (n *node) isTrue(src []byte) bool { return n != nil && string(src[n.from:n.to]) == "true" }

// switchedOff finds hooks and servers that the person does without.
func (p Place) switchedOff() (list []Finding) {
	off := "" // the file that says so; of several the last counts
	for _, s := range p.scopes() {
		d := p.look(Hooks, s)
		if d == nil {
			continue
		}
		if n := d.root.get("disableAllHooks"); n.isTrue(d.src) {
			off = p.named(Hooks, s)
		} else if n != nil {
			off = ""
		}
		if slices.Contains(d.root.get("disabledMcpjsonServers").texts(d.src), server) && p.hasProjectServer() {
			list = append(list, p.serverOff(p.named(Hooks, s)))
		}
	}
	if off != "" {
		list = append(list, Finding{off + " switches off all hooks (disableAllHooks): sessions get no memory", "remove disableAllHooks from " + off})
	}
	d := p.look(MCP, User)
	if d == nil || p.Root == "" {
		return list
	}
	here := d.root.get("projects").get(p.project())
	names := here.get("disabledMcpServers").texts(d.src)
	if p.hasProjectServer() {
		names = append(names, here.get("disabledMcpjsonServers").texts(d.src)...)
	}
	if slices.Contains(names, server) || p.HasPlugin() && slices.Contains(names, "plugin:sage:"+server) {
		list = append(list, p.serverOff(p.named(MCP, User)))
	}
	return list
}

func (p Place) hasProjectServer() bool {
	d := p.look(MCP, Project)
	return p.Root != "" && d != nil && len(p.sites(d, MCP, Project)) > 0
}

func (p Place) serverOff(path string) Finding {
	return Finding{"the server is switched off here, in " + path, "in Claude Code, '/mcp' switches it on"}
}

// managed finds what the machine's administrator does not let run.
func (p Place) managed() (list []Finding) {
	dir := p.managedDir()
	files, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json")) // of a pattern that is one
	for _, path := range append([]string{filepath.Join(dir, "managed-settings.json")}, files...) {
		d := p.readFile(path)
		if d == nil {
			continue
		}
		const cure = "ask who manages this machine"
		if d.root.get("disableAllHooks").isTrue(d.src) || d.root.get("allowManagedHooksOnly").isTrue(d.src) {
			list = append(list, Finding{path + " allows only its own hooks: sessions get no memory", cure})
		}
		if names(d, "deniedMcpServers")[server] {
			list = append(list, Finding{path + " forbids a server '" + server + "'", cure})
		}
		if allowed := d.root.get("allowedMcpServers"); allowed != nil && allowed.kind == '[' && !names(d, "allowedMcpServers")[server] && !names(d, "allowedMcpServers")[""] {
			list = append(list, Finding{path + " does not allow a server '" + server + "'", cure})
		}
	}
	if path := filepath.Join(dir, "managed-mcp.json"); exists(path) {
		list = append(list, Finding{path + " allows only its own servers", "ask who manages this machine"})
	}
	return list
}

// names are the servers of a list of the administrator's; "" is one that goes by
// something else than a name.
func names(d *draft, list string) map[string]bool {
	all := map[string]bool{}
	if n := d.root.get(list); n != nil && n.kind == '[' {
		for _, it := range n.items {
			all[it.val.get("serverName").text(d.src)] = true
		}
	}
	return all
}

// managedDir is where Claude Code looks for what an administrator says (read in 2.1.329).
func (p Place) managedDir() string {
	switch {
	case p.Managed != "":
		return p.Managed
	case runtime.GOOS == "darwin":
		return "/Library/Application Support/ClaudeCode"
	case runtime.GOOS == "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// untrusted finds that Claude Code asked whether to trust this folder, or would ask, and
// nobody said yes. A folder that it has never seen is none of our affair.
func (p Place) untrusted() []Finding {
	d := p.look(MCP, User)
	if d == nil || p.Root == "" {
		return nil
	}
	all := d.root.get("projects")
	for dir := p.project(); ; dir = parentOf(dir) {
		if all.get(dir).get("hasTrustDialogAccepted").isTrue(d.src) {
			return nil
		}
		if dir == parentOf(dir) {
			break
		}
	}
	if all.get(p.project()).get("hasTrustDialogAccepted") == nil {
		return nil
	}
	return []Finding{{"Claude Code does not trust " + p.Root + ": only 'claude -p' works there", "start 'claude' there and answer yes"}}
}

// parentOf is the folder above one with slashes; itself at the top.
func parentOf(dir string) string {
	i := strings.LastIndexByte(dir, '/')
	if i <= 0 {
		return dir[:min(1, len(dir))]
	}
	return dir[:i]
}

// twice finds entries that make two of one. Claude Code runs hooks of all scopes, and once
// only those that are the same to the letter; of servers with one name it starts one, and
// the plugin's has a name of its own.
func (p Place) twice() (list []Finding) {
	first, same := map[string]string{}, map[string]string{} // of an event: the file, and what it calls
	for _, s := range p.scopes() {
		d := p.look(Hooks, s)
		if d == nil {
			continue
		}
		for _, at := range hookSites(d.src, d.root, p.Bin) {
			call := at.program(d.src)
			if isAsked(d.src, at.val) {
				call = "the server"
			}
			path := p.named(Hooks, s)
			if was := first[at.event]; was == "" {
				first[at.event], same[at.event] = path, call
			} else if was != path && same[at.event] != call && len(list) == 0 {
				list = append(list, Finding{
					fmt.Sprintf("hooks are called twice: %s in %s, and %s in %s", shown(same[at.event]), was, shown(call), path),
					"git sage hooks uninstall --scope " + string(s),
				})
			}
		}
	}
	if p.HasPlugin() && p.hasProjectServer() && !p.Served() {
		list = append(list, Finding{p.named(MCP, Project) + " and the plugin " + PluginID + " both have the server: every tool is shown twice", "git sage mcp install --scope local"})
	}
	return list
}
