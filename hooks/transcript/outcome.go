package transcript

import "strings"

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
				d.wasRead(t, readShown(v))
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

// A shown is the client's note of a read.
type shown struct {
	content    []byte
	from       int // the first line
	lines, all int // that are shown, and that the file has; what follows the last newline is one
}

func readShown(file []byte) (s shown) {
	for key, v := range fields(file) {
		switch string(key) {
		case "content":
			s.content = v
		case "startLine":
			s.from = number(v)
		case "numLines":
			s.lines = number(v)
		case "totalLines":
			s.all = number(v)
		}
	}
	return s
}

// wasRead takes over what Read showed.
func (d *Digest) wasRead(t *touch, s shown) {
	if s.from < 1 || s.lines < 1 || s.from > s.all || s.lines > s.all || s.all > maxHunkLine {
		return
	}
	t.Lines, t.Part, t.Count = [2]int{}, false, s.all
	if s.from == 1 && s.lines == s.all {
		t.Blob = d.blob(text(s.content))
		return
	}
	to := s.from + s.lines - 1
	if to == s.all && strings.HasSuffix(text(s.content), "\n") {
		to--
	}
	t.Lines, t.Part = [2]int{s.from, to}, to < s.from
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
