// Package files keeps what a session had to do with each file: which lines of it were read
// or changed, where they stand now, and by what path the repository knows it.
package files

import (
	"cmp"
	"slices"
)

// A File is one that the session had to do with.
type File struct {
	Path    string   `json:"path"` // relative to the root with slashes; absolute outside of it
	Reads   int      `json:"reads,omitempty"`
	Changes int      `json:"changes,omitempty"`
	Seen    int      `json:"seen,omitempty"`  // another version of it was
	Lines   [][2]int `json:"lines,omitempty"` // that were read or changed, from 1, in order; at most 16 stretches
	Whole   bool     `json:"whole,omitempty"` // all of it was read
	Blob    string   `json:"blob,omitempty"`  // object id of what the session last knew the file to hold; see CodeRefs
	Count   int      `json:"count,omitempty"` // lines in that
	Offset  int64    `json:"offset"`          // when it was touched last
}

// maxStretches is how many stretches of lines are kept of a file, and maxHunks how many
// places of one edit.
const (
	maxStretches = 16
	maxHunks     = 16
)

// Add takes up what was done to the file.
func (f *File) Add(t Touch) {
	switch t.Did {
	case Saw:
		f.Seen++
	case Read:
		f.Reads++
		f.read(t)
	case Changed:
		f.Changes++
		f.change(t)
	}
}

func (f *File) read(t Touch) {
	if t.Count > 0 && f.Count > 0 && t.Count != f.Count || t.Blob != "" && t.Blob != f.Blob {
		f.Lines, f.Blob, f.Whole = nil, t.Blob, false // somebody else changed it
	}
	f.Count = max(t.Count, f.Count)
	switch {
	case t.Part:
	case t.Lines != [2]int{}:
		f.Lines = stretches(append(slices.Clip(f.Lines), t.Lines))
	default:
		f.Whole = true
	}
}

// change moves the lines that are known to where they stand now.
func (f *File) change(t Touch) {
	f.Blob, f.Count = t.Blob, 0
	if len(t.Hunks) == 0 {
		f.Lines = nil
		return
	}
	for _, h := range slices.Backward(t.Hunks) { // so that the numbers of those before still hold
		f.Lines = h.move(f.Lines)
	}
	for _, h := range t.Hunks {
		if h.New > 0 && h.NewLines > 0 {
			f.Lines = append(f.Lines, [2]int{h.New, h.New + h.NewLines - 1})
		}
	}
	f.Lines = stretches(f.Lines)
}

// stretches puts lines in order and joins those that touch. Of too many the shortest
// gaps are closed.
func stretches(list [][2]int) (out [][2]int) {
	slices.SortFunc(list, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, x := range list {
		if last := len(out) - 1; last >= 0 && x[0] <= out[last][1]+1 {
			out[last][1] = max(out[last][1], x[1])
		} else {
			out = append(out, x)
		}
	}
	for len(out) > maxStretches {
		least := 1
		for i := 2; i < len(out); i++ {
			if out[i][0]-out[i-1][1] < out[least][0]-out[least-1][1] {
				least = i
			}
		}
		out[least-1][1] = out[least][1]
		out = slices.Delete(out, least, least+1)
	}
	return out
}
