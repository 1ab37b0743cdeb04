package digest

import (
	"slices"

	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
)

// results takes up what tools answered.
func (d *Digest) results(r *record.Record) {
	var list []record.Block
	for b := range r.Blocks() {
		if b.Type == "tool_result" {
			list = append(list, b)
		}
	}
	for _, b := range list {
		i := slices.IndexFunc(d.State.Open, func(c call) bool { return c.ID == b.ID })
		if i < 0 {
			continue
		}
		c := d.State.Open[i]
		d.State.Open = slices.Delete(d.State.Open, i, i+1)
		data := r.Result
		if len(list) > 1 { // nobody knows whose it is
			data = nil
		}
		d.done(r, c, b, data)
	}
}

// done takes up the answer to a call; data is what the client notes of it.
func (d *Digest) done(r *record.Record, c call, b record.Block, data []byte) {
	d.Calls++
	if c.Server != "" {
		d.called(c, b.Failed, r.Offset)
	}
	if b.Failed {
		d.Failed++
		d.fail(r, c, b.Text())
		return
	}
	d.judge(r, c, b)
	d.ease(c, b.Text(), r.Offset)
	if len(c.Touches) == 1 && c.Tool != "Bash" {
		c.Touches[0].Outcome(c.Tool, b.Text, data, d.blob)
	}
	for _, t := range c.Touches {
		d.touch(t, r.Offset)
	}
	for _, s := range c.Searches {
		s.Offset = r.Offset
		d.Searches = newest(append(d.Searches, s), maxSearches)
	}
	d.Searched += len(c.Searches)
}

// called counts a call of an MCP server's tool.
func (d *Digest) called(c call, failed bool, at int64) {
	x := Call{Server: c.Server, Tool: c.Tool}
	if i := slices.IndexFunc(d.MCP, func(x Call) bool { return x.Server == c.Server && x.Tool == c.Tool }); i >= 0 {
		x = d.MCP[i]
		d.MCP = slices.Delete(d.MCP, i, i+1)
	}
	x.Count++
	x.Offset = at
	if failed {
		x.Failed++
	}
	d.MCP = newest(append(d.MCP, x), maxMCP)
}
