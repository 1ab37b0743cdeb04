package digest

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/transcript/internal/files"
)

// FilesExplored are the files that were read, in whatever version, by name.
func (d *Digest) FilesExplored() []string {
	return d.paths(func(f files.File) bool { return f.Reads+f.Seen > 0 })
}

// FilesChanged are the files that were written, by name.
func (d *Digest) FilesChanged() []string {
	return d.paths(func(f files.File) bool { return f.Changes > 0 })
}

func (d *Digest) paths(take func(files.File) bool) (list []string) {
	for _, f := range d.Files {
		if take(f) {
			list = append(list, f.Path)
		}
	}
	slices.Sort(list)
	return list
}

// CodeRefs are the places that were read or changed, those of the file that was touched
// last first: its stretches of lines, or all of it. The blob is that of the file as the
// session last knew it, where the transcript holds all of that. The client shows text
// with newlines alone and no byte order mark; what has carriage returns in git has
// another id.
func (d *Digest) CodeRefs() (refs []sage.CodeRef) {
	for _, f := range slices.Backward(d.Files) {
		ref := sage.CodeRef{File: f.Path, Blob: f.Blob, Relevance: "context"}
		if f.Whole || len(f.Lines) == 0 {
			if f.Whole || f.Changes > 0 {
				refs = append(refs, ref)
			}
			continue
		}
		for _, ref.Lines = range f.Lines {
			refs = append(refs, ref)
		}
	}
	return refs
}

// blob is the id that git gives a file with this content.
func (d *Digest) blob(content string) string {
	var h hash.Hash = sha1.New()
	if d.o.SHA256 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(content))
	_, _ = io.WriteString(h, content)
	return hex.EncodeToString(h.Sum(nil))
}
