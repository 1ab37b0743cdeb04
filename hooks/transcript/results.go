package transcript

import (
	"slices"
	"strings"
)

// results takes up what tools answered.
func (d *Digest) results(r *Record) {
	var list []Block
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
		data := r.result
		if len(list) > 1 { // nobody knows whose it is
			data = nil
		}
		d.done(r, c, b, data)
	}
}

// done takes up the answer to a call; data is what the client notes of it.
func (d *Digest) done(r *Record, c call, b Block, data []byte) {
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
	if len(c.Touches) == 1 && c.Tool != "Bash" {
		d.outcome(&c, b, data)
	}
	for _, t := range c.Touches {
		d.touch(t, r.Offset)
	}
	for _, s := range c.Searches {
		s.Offset = r.Offset
		d.Searched++
		d.Searches = newest(append(d.Searches, s), maxSearches)
	}
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

// outcome reads from the client's note which lines of the file were read, or what was
// made of it. Of a subagent's calls there are no notes.
func (d *Digest) outcome(c *call, b Block, data []byte) {
	t := &c.Touches[0]
	switch c.Tool {
	case "Read":
		if len(data) == 0 {
			t.numbered(b.Text())
		}
		for key, v := range fields(data) {
			if string(key) == "file" {
				d.wasRead(t, v)
			}
		}
	case "Edit", "MultiEdit", "Write":
		d.wasWritten(t, data)
	}
}

// numbered takes over the lines that Read shows, each with its number and a tab.
func (t *touch) numbered(shown string) {
	first, _, _ := strings.Cut(shown, "\t")
	last, content, _ := strings.Cut(shown[strings.LastIndexByte(shown, '\n')+1:], "\t")
	from, to := lineCount(strings.TrimSpace(first)), lineCount(strings.TrimSpace(last))
	if content == "" { // behind the newline that ends the file
		to--
	}
	if from > 0 && to >= from {
		t.Lines, t.Part = [2]int{from, to}, false
	}
}

// wasRead takes over what Read showed: lines from the first, and how many the file has.
// That counts what follows the newline at the end as a line.
func (d *Digest) wasRead(t *touch, file []byte) {
	var content []byte
	from, shown, all := 0, 0, 0
	for key, v := range fields(file) {
		switch string(key) {
		case "content":
			content = v
		case "startLine":
			from = number(v)
		case "numLines":
			shown = number(v)
		case "totalLines":
			all = number(v)
		}
	}
	if from < 1 || shown < 1 || all < shown || all > maxHunkLine || from > all {
		return
	}
	t.Lines, t.Part, t.Count = [2]int{}, false, all
	if from == 1 && shown == all {
		t.Blob = d.blob(text(content))
		return
	}
	to := from + shown - 1
	if to == all && strings.HasSuffix(text(content), "\n") {
		to--
	}
	t.Lines, t.Part = [2]int{from, to}, to < from
}

// wasWritten takes over what was made of a file: its content, where the client notes
// all that makes it up, and the lines that changed.
func (d *Digest) wasWritten(t *touch, data []byte) {
	var w written
	for key, v := range fields(data) {
		w.field(key, v)
	}
	t.Hunks = w.hunks
	if content, ok := w.content(); ok {
		t.Blob = d.blob(content)
	}
}

// A written is the client's note of an edit.
type written struct {
	whole, original, old, new []byte
	all, byUser               bool
	hunks                     []hunk
}

func (w *written) field(key, v []byte) {
	switch string(key) {
	case "content":
		w.whole = v
	case "originalFile":
		w.original = v
	case "oldString":
		w.old = v
	case "newString":
		w.new = v
	case "replaceAll":
		w.all = truth(v)
	case "userModified":
		w.byUser = truth(v)
	case "structuredPatch":
		for h := range elements(v) {
			if len(w.hunks) < maxHunks {
				w.hunks = append(w.hunks, readHunk(h))
			}
		}
	}
}

// content is what the file holds now, if the note says all of it.
func (w *written) content() (string, bool) {
	if w.byUser {
		return "", false
	}
	if len(w.whole) > 0 && w.whole[0] == '"' {
		return text(w.whole), true
	}
	was, old := text(w.original), text(w.old)
	if w.original == nil || w.new == nil || old == "" || !strings.Contains(was, old) {
		return "", false
	}
	n := 1
	if w.all {
		n = -1
	}
	return strings.Replace(was, old, text(w.new), n), true
}
