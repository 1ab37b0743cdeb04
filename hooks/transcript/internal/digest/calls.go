package digest

import (
	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/hooks/transcript/internal/scan"
	"github.com/git-sage/git-sage/prose/cut"
)

// arguments are those of a tool that say what it does to what.
type arguments struct {
	file, path, pattern, command, query, url string
	offset, limit                            int
}

func readArguments(input []byte) (a arguments) {
	for key, v := range scan.Fields(input) {
		switch string(key) {
		case "file_path", "notebook_path":
			a.file = scan.Text(v)
		case "path":
			a.path = scan.Text(v)
		case "pattern":
			a.pattern = scan.Text(v)
		case "command":
			a.command = scan.Text(v)
		case "query":
			a.query = scan.Text(v)
		case "url":
			a.url = scan.Text(v)
		case "offset":
			a.offset = scan.Number(v)
		case "limit":
			a.limit = scan.Number(v)
		}
	}
	return a
}

// begin notes that a tool is called.
func (d *Digest) begin(r *record.Record, b record.Block) {
	c := call{ID: cut.Bytes(b.ID, maxName), Tool: d.clean(b.Name, maxName)}
	a := readArguments(b.Given)
	if server, tool, ok := mcpName(c.Tool); ok {
		c.Server, c.Tool, c.What = server, tool, server
	} else {
		d.builtin(r, &c, a)
	}
	for i := range c.Touches {
		c.Touches[i].File = d.clean(c.Touches[i].File, files.MaxPath)
	}
	for i, s := range c.Searches {
		c.Searches[i].Query, c.Searches[i].Where = d.clean(s.Query, maxWhat), d.clean(d.shown(r.Dir, s.Where), maxWhat)
	}
	d.State.Open = newest(append(d.State.Open, c), maxOpen)
}

// lines are those that Read is asked for, as far as that says it.
func (a arguments) lines() files.Touch {
	from := max(1, a.offset)
	if a.limit > 0 && a.limit < 1<<30 && from < 1<<30 {
		return files.Touch{Did: files.Read, Lines: [2]int{from, from + a.limit - 1}}
	}
	return files.Touch{Did: files.Read, Part: from > 1}
}
