package files

import (
	"slices"

	"github.com/git-sage/git-sage/hooks/transcript/internal/scan"
)

// A hunk is one place of an edit: how many lines from which one, counted from 1, became
// how many from which one.
type hunk struct{ Old, OldLines, New, NewLines int }

// maxHunkLine bounds the numbers of lines, so that adding them is safe.
const maxHunkLine = 1 << 30

func readHunk(b []byte) (h hunk) {
	var lines []byte
	for key, v := range scan.Fields(b) {
		n := min(max(scan.Number(v), 0), maxHunkLine)
		switch string(key) {
		case "oldStart":
			h.Old = n
		case "oldLines":
			h.OldLines = n
		case "newStart":
			h.New = n
		case "newLines":
			h.NewLines = n
		case "lines":
			lines = v
		}
	}
	return h.trim(lines)
}

// trim leaves out the lines around that did not change, which begin with a blank.
func (h hunk) trim(lines []byte) hunk {
	var marks []byte
	for l := range scan.Elements(lines) {
		if s := scan.Text(l); s != "" && s[0] != '\\' { // "\ No newline at end of file"
			marks = append(marks, s[0])
		}
	}
	first := slices.IndexFunc(marks, func(c byte) bool { return c != ' ' })
	if first < 0 {
		return h
	}
	same := first
	for i := len(marks) - 1; marks[i] == ' '; i-- {
		same++
	}
	if same > min(h.OldLines, h.NewLines) { // the numbers are not of these lines
		return h
	}
	return hunk{h.Old + first, h.OldLines - same, h.New + first, h.NewLines - same}
}

// move says where lines stand after an edit. What the edit replaced is gone from them.
func (h hunk) move(list [][2]int) (out [][2]int) {
	end, more := h.Old+h.OldLines, h.NewLines-h.OldLines
	for _, x := range list {
		if before := [2]int{x[0], min(x[1], h.Old-1)}; before[0] <= before[1] {
			out = append(out, before)
		}
		if after := [2]int{max(x[0], end) + more, x[1] + more}; after[0] <= after[1] && after[0] > 0 {
			out = append(out, after)
		}
	}
	return out
}
