package transcript

import (
	"cmp"
	"slices"
)

// maxStretches is how many stretches of lines are kept of a file, and maxHunks how many
// places of one edit.
const (
	maxStretches = 16
	maxHunks     = 16
)

// touch notes what was done to a file.
func (d *Digest) touch(t touch, at int64) {
	if t.File == "" {
		return
	}
	if t.Out {
		d.Outside++
		if !d.o.Outside {
			return
		}
	}
	f := File{Path: t.File}
	if i := slices.IndexFunc(d.Files, func(f File) bool { return f.Path == t.File }); i >= 0 {
		f = d.Files[i]
		d.Files = slices.Delete(d.Files, i, i+1)
	}
	f.Offset = at
	f.touch(t)
	d.Files = append(d.Files, f)
	d.forget()
}

// forget makes room: of too many files one goes that was only seen, else only read, the
// one that was touched least lately.
func (d *Digest) forget() {
	if len(d.Files) <= maxFiles {
		return
	}
	weight := func(f File) int { return min(f.Reads, 1) + 2*min(f.Changes, 1) }
	least := 0
	for i, f := range d.Files[:maxFiles] {
		if weight(f) < weight(d.Files[least]) {
			least = i
		}
	}
	d.Files = slices.Delete(d.Files, least, least+1)
}

func (f *File) touch(t touch) {
	switch t.Did {
	case didSee:
		f.Seen++
	case didRead:
		f.Reads++
		f.read(t)
	case didChange:
		f.Changes++
		f.change(t)
	}
}

func (f *File) read(t touch) {
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
func (f *File) change(t touch) {
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
