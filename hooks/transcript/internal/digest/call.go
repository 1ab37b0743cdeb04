package digest

import (
	"cmp"
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/attempt"
	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
	"github.com/git-sage/git-sage/hooks/transcript/internal/walk"
)

// builtin finds out what a tool of the client's own is about to do.
func (d *Digest) builtin(r *record.Record, c *call, a arguments) {
	switch c.Tool {
	case "Read":
		d.touches(c, r.Dir, a.file, a.lines())
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		d.touches(c, r.Dir, a.file, files.Touch{Did: files.Changed})
	case "Bash":
		cmds := shell.Commands(a.command)
		c.Touches, c.Searches = walk.Line(d.root, r.Dir, cmds)
		c.Check, c.Tries, c.Undoes = attempt.Find(cmds, d.hide), attempt.Tries(cmds, d.hide), attempt.Undoes(cmds)
	case "Grep":
		if files.LooksLikeFile(a.path) {
			d.touches(c, r.Dir, a.path, files.Touch{Did: files.Read, Part: true})
		}
	}
	what := cmp.Or(a.command, a.pattern, a.query, a.url)
	if kind := kinds[c.Tool]; kind != "" && what != "" {
		c.Searches = []walk.Search{{Kind: kind, Query: what, Where: a.path}}
	}
	c.What = d.clean(cmp.Or(what, d.shown(r.Dir, a.file)), maxWhat)
}

// kinds are the kinds of searches that tools are.
var kinds = map[string]string{"Grep": "code", "Glob": "names", "WebSearch": "web", "WebFetch": "page"}

// touches notes that a call is about a file.
func (d *Digest) touches(c *call, dir, name string, t files.Touch) {
	file, in := d.root.Rel(dir, name)
	if file != "" {
		t.File, t.Out = file, !in
		c.Touches = append(c.Touches, t)
	}
}

// shown is how a path is kept for a reader: nothing of what lies outside.
func (d *Digest) shown(dir, name string) string {
	if file, in := d.root.Rel(dir, name); in || d.o.Outside {
		return file
	}
	return ""
}

// mcpName splits the name of a tool of an MCP server: mcp__server__tool.
func mcpName(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, "__")
	return server, tool, ok && tool != ""
}

// A call is one of a tool, until its answer comes.
type call struct {
	ID       string        `json:"id"`
	Tool     string        `json:"tool"`
	What     string        `json:"what,omitempty"`
	Touches  []files.Touch `json:"touches,omitempty"`
	Searches []walk.Search `json:"searches,omitempty"`
	Check    attempt.Check `json:"check,omitzero"`
	Tries    []string      `json:"tries,omitempty"`  // what the line tries, without most arguments
	Undoes   bool          `json:"undoes,omitempty"` // it takes changes back
	Server   string        `json:"server,omitempty"` // of MCP
}
