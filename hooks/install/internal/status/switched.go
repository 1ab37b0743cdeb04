package status

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// switchedOff finds hooks and servers that the person does without.
func (p Viewer) switchedOff() (list []Finding) {
	off := "" // the file that says so; of several the last counts
	for s, d := range p.hookFiles() {
		if n := d.Root.Get("disableAllHooks"); n.IsTrue(d.Src) {
			off = p.PathOf(place.Hooks, s)
		} else if n != nil {
			off = ""
		}
		if slices.Contains(d.Root.Get("disabledMcpjsonServers").Texts(d.Src), entry.Server) && p.HasProjectServer() {
			list = append(list, p.serverOff(p.PathOf(place.Hooks, s)))
		}
	}
	if off != "" {
		list = append(list, Finding{off + " switches off all hooks (disableAllHooks): sessions get no memory", "remove disableAllHooks from " + off})
	}
	d := p.Look(place.MCP, place.User)
	if d == nil || p.Root == "" {
		return list
	}
	here := d.Root.Get("projects").Get(p.Project())
	names := here.Get("disabledMcpServers").Texts(d.Src)
	if p.HasProjectServer() {
		names = append(names, here.Get("disabledMcpjsonServers").Texts(d.Src)...)
	}
	if slices.Contains(names, entry.Server) || p.HasPlugin() && slices.Contains(names, "plugin:sage:"+entry.Server) {
		list = append(list, p.serverOff(p.PathOf(place.MCP, place.User)))
	}
	return list
}

func (p Viewer) serverOff(path string) Finding {
	return Finding{"the server is switched off here, in " + path, "in Claude Code, '/mcp' switches it on"}
}

// untrusted finds that Claude Code asked whether to trust this folder, or would ask, and
// nobody said yes. A folder that it has never seen is none of our affair.
func (p Viewer) untrusted() []Finding {
	d := p.Look(place.MCP, place.User)
	if d == nil || p.Root == "" {
		return nil
	}
	all := d.Root.Get("projects")
	for dir := p.Project(); ; dir = parentOf(dir) {
		if all.Get(dir).Get("hasTrustDialogAccepted").IsTrue(d.Src) {
			return nil
		}
		if dir == parentOf(dir) {
			break
		}
	}
	if all.Get(p.Project()).Get("hasTrustDialogAccepted") == nil {
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
