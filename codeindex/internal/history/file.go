package history

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/recall/index/box"
	"github.com/git-sage/git-sage/recall/index/disk"
)

const kind = 13

// The sections.
const (
	secCommits = iota
	secParents
	secFiles
	secRenames
	secTerms
	secPaths
	secTips
	sections
)

// A row is a commit as it is kept.
type row struct {
	ID                             uint64
	Time                           int64
	Parents, Files, Renames, Terms uint32
}

// A commit is one that was read.
type commit struct {
	id      uint64 // the first 64 bits of its id
	time    int64  // of the committer, in seconds
	parents []uint64
	files   []uint32 // numbers of paths; none of a merge or a mass edit
	renames [][2]uint32
	terms   []words.Term // of the message, ascending
}

// A History is what was read of commits. It is not changed any more.
type History struct {
	commits []commit // the newest first
	paths   []string
	tips    []string // ids whose ancestors were read
	place   map[uint64]int32
}

// Open reads a file and closes it. id tells it from those of another repository or format.
func Open(f *disk.File, id [32]byte) (*History, error) {
	raw := make([]byte, f.Size())
	err := errors.Join(f.Read(raw, 0), f.Close())
	if err != nil {
		return nil, err
	}
	b, err := box.Open(disk.Bytes(raw), kind, id)
	if err != nil {
		return nil, err
	}
	rows, err := box.Rows[row](b, secCommits)
	if err != nil {
		return nil, err
	}
	parents, err := box.Rows[uint64](b, secParents)
	if err != nil {
		return nil, err
	}
	files, err := box.Rows[uint32](b, secFiles)
	if err != nil {
		return nil, err
	}
	renames, err := box.Rows[[2]uint32](b, secRenames)
	if err != nil {
		return nil, err
	}
	terms, err := box.Rows[words.Term](b, secTerms)
	if err != nil {
		return nil, err
	}
	paths, err := b.Section(secPaths)
	if err != nil {
		return nil, err
	}
	tips, err := b.Section(secTips)
	if err != nil {
		return nil, err
	}
	h := &History{tips: strings.Fields(string(tips))}
	for p := range strings.SplitSeq(string(paths), "\x00") {
		h.paths = append(h.paths, p)
	}
	h.paths = h.paths[1:] // before the first NUL
	for _, r := range rows {
		if int(r.Parents) > len(parents) || int(r.Files) > len(files) || int(r.Renames) > len(renames) || int(r.Terms) > len(terms) {
			return nil, fmt.Errorf("%w: commits", box.ErrDamaged)
		}
		c := commit{id: r.ID, time: r.Time}
		c.parents, parents = parents[:r.Parents:r.Parents], parents[r.Parents:]
		c.files, files = files[:r.Files:r.Files], files[r.Files:]
		c.renames, renames = renames[:r.Renames:r.Renames], renames[r.Renames:]
		c.terms, terms = terms[:r.Terms:r.Terms], terms[r.Terms:]
		for _, f := range c.files {
			if int(f) >= len(h.paths) {
				return nil, fmt.Errorf("%w: files", box.ErrDamaged)
			}
		}
		for _, f := range c.renames {
			if int(max(f[0], f[1])) >= len(h.paths) {
				return nil, fmt.Errorf("%w: renames", box.ErrDamaged)
			}
		}
		h.commits = append(h.commits, c)
	}
	h.index()
	return h, nil
}

func (h *History) index() {
	h.place = make(map[uint64]int32, len(h.commits))
	for i := range h.commits {
		h.place[h.commits[i].id] = int32(i)
	}
}

// Write writes what Open reads.
func (h *History) Write(w io.Writer, id [32]byte) error {
	rows := make([]row, len(h.commits))
	var parents []uint64
	var files []uint32
	var renames [][2]uint32
	var terms []words.Term
	for i := range h.commits {
		c := &h.commits[i]
		rows[i] = row{c.id, c.time, uint32(len(c.parents)), uint32(len(c.files)), uint32(len(c.renames)), uint32(len(c.terms))}
		parents, files = append(parents, c.parents...), append(files, c.files...)
		renames, terms = append(renames, c.renames...), append(terms, c.terms...)
	}
	var paths strings.Builder
	for _, p := range h.paths {
		paths.WriteString("\x00" + p)
	}
	parts := make([]box.Part, sections)
	parts[secCommits].Bytes = box.BytesOf(rows)
	parts[secParents].Bytes = box.BytesOf(parents)
	parts[secFiles].Bytes = box.BytesOf(files)
	parts[secRenames].Bytes = box.BytesOf(renames)
	parts[secTerms].Bytes = box.BytesOf(terms)
	parts[secPaths].Bytes = []byte(paths.String())
	parts[secTips].Bytes = []byte(strings.Join(h.tips, "\n"))
	return box.Write(w, kind, id, len(rows), parts)
}

// Len is the number of commits.
func (h *History) Len() int { return len(h.commits) }

// Has reports whether a commit was read.
func (h *History) Has(oid string) bool {
	id, ok := idOf(oid)
	if ok {
		_, ok = h.place[id]
	}
	return ok
}

// idOf is the beginning of an id that is written in hexadecimal.
func idOf(oid string) (uint64, bool) {
	var raw [8]byte
	if len(oid) < 40 {
		return 0, false
	}
	_, err := hex.Decode(raw[:], []byte(oid[:16]))
	return binary.BigEndian.Uint64(raw[:]), err == nil
}
