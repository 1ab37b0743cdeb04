package digest

import (
	"slices"

	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
)

// touch notes what was done to a file.
func (d *Digest) touch(t files.Touch, at int64) {
	if t.File == "" {
		return
	}
	if t.Out {
		d.Outside++
		if !d.o.Outside {
			return
		}
	}
	f := files.File{Path: t.File}
	if i := slices.IndexFunc(d.Files, func(f files.File) bool { return f.Path == t.File }); i >= 0 {
		f = d.Files[i]
		d.Files = slices.Delete(d.Files, i, i+1)
	}
	f.Offset = at
	f.Add(t)
	d.Files = append(d.Files, f)
	d.forget()
}

// forget makes room: of too many files one goes that was only seen, else only read, the
// one that was touched least lately.
func (d *Digest) forget() {
	if len(d.Files) <= maxFiles {
		return
	}
	weight := func(f files.File) int { return min(f.Reads, 1) + 2*min(f.Changes, 1) }
	least := 0
	for i, f := range d.Files[:maxFiles] {
		if weight(f) < weight(d.Files[least]) {
			least = i
		}
	}
	d.Files = slices.Delete(d.Files, least, least+1)
}
