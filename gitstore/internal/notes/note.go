package notes

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// TrackedAs is the name, among our own refs, under which a remote's notes are kept: those of
// origin at refs/sage/remotes/origin/notes.
const TrackedAs = "refs/sage/notes"

const (
	// Trailer names a checkpoint, in a note and in the message of a commit.
	Trailer = "Sage-Checkpoint"

	patchKey   = "Sage-Patch"
	mostBytes  = 64 << 10 // of a note that is read
	mostNamed  = 200      // checkpoints that a note names
	mostThesis = 200      // runes of a thesis in it
)

// A note is what is kept of a commit:
//
//	Sage-Checkpoint: <id> <first line of its thesis>
//	Sage-Patch: <patch id of the commit>
//
// Git copies notes when it rewrites a commit, and joins them by a blank line, so that a line
// may stand there twice: it counts once. What somebody else wrote comes first, and stays.
type note struct {
	checkpoints map[string]string // the thesis by id
	patches     map[string]bool   // ids of patches, also of the commits that this one was made of
	others      []string          // lines of somebody else's
}

func newNote() note { return note{checkpoints: map[string]string{}, patches: map[string]bool{}} }

// parse reads a note. An id has as many digits as one of the repository has.
func parse(data []byte, digits int) note {
	n := newNote()
	text := string(data[:min(len(data), mostBytes)])
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\r\n")
		key, value, _ := strings.Cut(l, ": ")
		id, thesis, _ := strings.Cut(value, " ")
		switch isID := len(id) == digits && record.IsHex(id); {
		case key == Trailer && isID:
			n.name(id, thesis)
		case key == patchKey && isID:
			n.patches[id] = true
		case l != "" || len(n.others) > 0:
			n.others = append(n.others, l)
		}
	}
	for len(n.others) > 0 && n.others[len(n.others)-1] == "" {
		n.others = n.others[:len(n.others)-1]
	}
	return n
}

// name adds a checkpoint. Of two theses the first in order counts.
func (n note) name(id, thesis string) {
	if was := n.checkpoints[id]; was == "" || thesis != "" && thesis < was {
		n.checkpoints[id] = thesis
	}
}

// encode prints a note, the same for the same content: what somebody else wrote, and then
// our lines in the order of their ids.
func (n note) encode() []byte {
	var b bytes.Buffer
	for _, l := range n.others {
		b.WriteString(l + "\n")
	}
	if len(n.others) > 0 && len(n.checkpoints)+len(n.patches) > 0 {
		b.WriteString("\n")
	}
	for _, id := range cut.First(slices.Sorted(maps.Keys(n.checkpoints)), mostNamed) {
		b.WriteString(strings.TrimRight(Trailer+": "+id+" "+n.checkpoints[id], " ") + "\n")
	}
	for _, id := range cut.First(slices.Sorted(maps.Keys(n.patches)), mostNamed) {
		b.WriteString(patchKey + ": " + id + "\n")
	}
	return b.Bytes()
}

// with is the union of two notes by line, whichever comes first.
func (n note) with(m note) note {
	out := newNote()
	for _, from := range []note{n, m} {
		for id, thesis := range from.checkpoints {
			out.name(id, thesis)
		}
		maps.Copy(out.patches, from.patches)
	}
	switch {
	case len(m.others) == 0 || slices.Equal(n.others, m.others):
		out.others = n.others
	case len(n.others) == 0:
		out.others = m.others
	default:
		out.others = slices.Compact(slices.Sorted(slices.Values(slices.DeleteFunc(slices.Concat(n.others, m.others), func(l string) bool { return l == "" }))))
	}
	return out
}

// isEmpty reports whether nothing is left of a note: a patch alone explains nothing.
func (n note) isEmpty() bool { return len(n.checkpoints)+len(n.others) == 0 }

// said is the thesis of a checkpoint in a line.
func said(r record.Record) string {
	text, _, _ := strings.Cut(strings.TrimSpace(r.Thesis), "\n")
	if text == "" {
		text = r.Description
	}
	return cut.Runes(legible.OneLine(text), mostThesis)
}

// Without is the text of a note without the lines that name checkpoints which are gone; "" if
// it explains nothing then.
func Without(text string, gone func(checkpoint string) bool) string {
	left, explains := "", false
	for l := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimRight(l, "\r\n"), ": ")
		id, _, _ := strings.Cut(value, " ")
		if key == Trailer && record.IsHex(id) && gone(id) {
			continue
		}
		left += l
		explains = explains || key != patchKey && strings.TrimSpace(l) != ""
	}
	if !explains && left != text {
		return ""
	}
	return left
}
