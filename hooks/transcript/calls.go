package transcript

import (
	"cmp"
	"strings"

	"github.com/git-sage/git-sage/prose/cut"
)

// arguments are those of a tool that say what it does to what.
type arguments struct {
	file, path, pattern, command, query, url string
	offset, limit                            int
}

func readArguments(input []byte) (a arguments) {
	for key, v := range fields(input) {
		switch string(key) {
		case "file_path", "notebook_path":
			a.file = text(v)
		case "path":
			a.path = text(v)
		case "pattern":
			a.pattern = text(v)
		case "command":
			a.command = text(v)
		case "query":
			a.query = text(v)
		case "url":
			a.url = text(v)
		case "offset":
			a.offset = number(v)
		case "limit":
			a.limit = number(v)
		}
	}
	return a
}

// begin notes that a tool is called.
func (d *Digest) begin(r *Record, b Block) {
	c := call{ID: cut.Bytes(b.ID, maxName), Tool: d.clean(b.Name, maxName)}
	a := readArguments(b.input)
	if server, tool, ok := mcpName(c.Tool); ok {
		c.Server, c.Tool, c.What = server, tool, server
	} else {
		d.builtin(r, &c, a)
	}
	for i := range c.Touches {
		c.Touches[i].File = d.clean(c.Touches[i].File, maxPath)
	}
	for i, s := range c.Searches {
		c.Searches[i].Query, c.Searches[i].Where = d.clean(s.Query, maxWhat), d.clean(d.shown(r.Dir, s.Where), maxWhat)
	}
	d.State.Open = newest(append(d.State.Open, c), maxOpen)
}

// builtin finds out what a tool of the client's own is about to do.
func (d *Digest) builtin(r *Record, c *call, a arguments) {
	switch c.Tool {
	case "Read":
		d.touches(c, r.Dir, a.file, a.lines())
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		d.touches(c, r.Dir, a.file, touch{Did: didChange})
	case "Bash":
		cmds := commands(a.command)
		c.Touches, c.Searches = d.root.shellLine(r.Dir, cmds)
		c.Check, c.Tries, c.Undoes = d.check(cmds), d.tries(cmds), undoes(cmds)
	case "Grep":
		if fileLike(a.path) {
			d.touches(c, r.Dir, a.path, touch{Did: didRead, Part: true})
		}
	}
	what := cmp.Or(a.command, a.pattern, a.query, a.url)
	if kind := kinds[c.Tool]; kind != "" && what != "" {
		c.Searches = []Search{{Kind: kind, Query: what, Where: a.path}}
	}
	c.What = d.clean(cmp.Or(what, d.shown(r.Dir, a.file)), maxWhat)
}

// kinds are the kinds of searches that tools are.
var kinds = map[string]string{"Grep": "code", "Glob": "names", "WebSearch": "web", "WebFetch": "page"}

// lines are those that Read is asked for, as far as that says it.
func (a arguments) lines() touch {
	from := max(1, a.offset)
	if a.limit > 0 && a.limit < 1<<30 && from < 1<<30 {
		return touch{Did: didRead, Lines: [2]int{from, from + a.limit - 1}}
	}
	return touch{Did: didRead, Part: from > 1}
}

// touches notes that a call is about a file.
func (d *Digest) touches(c *call, dir, name string, t touch) {
	file, in := d.root.rel(dir, name)
	if file != "" {
		t.File, t.Out = file, !in
		c.Touches = append(c.Touches, t)
	}
}

// shown is how a path is kept for a reader: nothing of what lies outside.
func (d *Digest) shown(dir, name string) string {
	if file, in := d.root.rel(dir, name); in || d.o.Outside {
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
