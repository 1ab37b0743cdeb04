package files

import (
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/scan"
)

// Outcome takes over what became of a call of a tool: from data, the client's note, which
// lines of the file were read, or what was made of it. Of a subagent's calls there are no
// notes, but what the tool said. blob is the id that git gives to a content.
func (t *Touch) Outcome(tool string, said func() string, data []byte, blob func(content string) string) {
	switch tool {
	case "Read":
		if len(data) == 0 {
			t.numbered(said())
		}
		for key, v := range scan.Fields(data) {
			if string(key) == "file" {
				t.wasRead(readShown(v), blob)
			}
		}
	case "Edit", "MultiEdit", "Write":
		t.wasWritten(data, blob)
	}
}

// numbered takes over the lines that Read shows, each with its number and a tab.
func (t *Touch) numbered(shown string) {
	first, _, _ := strings.Cut(shown, "\t")
	last, content, _ := strings.Cut(shown[strings.LastIndexByte(shown, '\n')+1:], "\t")
	from, to := LineCount(strings.TrimSpace(first)), LineCount(strings.TrimSpace(last))
	if content == "" { // behind the newline that ends the file
		to--
	}
	if from > 0 && to >= from {
		t.Lines, t.Part = [2]int{from, to}, false
	}
}

// wasRead takes over what Read showed.
func (t *Touch) wasRead(s shown, blob func(string) string) {
	if s.from < 1 || s.lines < 1 || s.from > s.all || s.lines > s.all || s.all > maxHunkLine {
		return
	}
	t.Lines, t.Part, t.Count = [2]int{}, false, s.all
	if s.from == 1 && s.lines == s.all {
		t.Blob = blob(scan.Text(s.content))
		return
	}
	to := s.from + s.lines - 1
	if to == s.all && strings.HasSuffix(scan.Text(s.content), "\n") {
		to--
	}
	t.Lines, t.Part = [2]int{s.from, to}, to < s.from
}

// wasWritten takes over what was made of a file: its content, where the client notes
// all that makes it up, and the lines that changed.
func (t *Touch) wasWritten(data []byte, blob func(string) string) {
	var w written
	for key, v := range scan.Fields(data) {
		w.field(key, v)
	}
	t.Hunks = w.hunks
	if content, ok := w.content(); ok {
		t.Blob = blob(content)
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
		w.all = scan.Truth(v)
	case "userModified":
		w.byUser = scan.Truth(v)
	case "structuredPatch":
		for h := range scan.Elements(v) {
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
		return scan.Text(w.whole), true
	}
	was, old := scan.Text(w.original), scan.Text(w.old)
	if w.original == nil || w.new == nil || old == "" || !strings.Contains(was, old) {
		return "", false
	}
	n := 1
	if w.all {
		n = -1
	}
	return strings.Replace(was, old, scan.Text(w.new), n), true
}
