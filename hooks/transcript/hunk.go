package transcript

// A hunk is one place of an edit, in lines from 1.
type hunk struct{ Old, OldLines, New, NewLines int }

// maxHunkLine bounds the numbers of lines, so that adding them is safe.
const maxHunkLine = 1 << 30

func readHunk(b []byte) (h hunk) {
	for key, v := range fields(b) {
		n := min(max(number(v), 0), maxHunkLine)
		switch string(key) {
		case "oldStart":
			h.Old = n
		case "oldLines":
			h.OldLines = n
		case "newStart":
			h.New = n
		case "newLines":
			h.NewLines = n
		}
	}
	return h
}

// move says where lines stand after an edit. What the edit replaced is gone from them,
// and comes back as its own lines.
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
