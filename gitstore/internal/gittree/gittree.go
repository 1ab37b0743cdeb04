// Package gittree reads and writes git's trees.
package gittree

import (
	"bytes"
	"cmp"
	"encoding/hex"
)

// The modes of what is in trees of ours.
const (
	ModeFile = "100644"
	ModeDir  = "40000"
)

// Parse reads a tree of one level, whose ids have size bytes, as far as it is one.
func Parse(b []byte, size int) (out []Entry) {
	for {
		e, rest, ok := Next(b, size)
		if !ok {
			return out
		}
		if out == nil {
			out = make([]Entry, 0, 1+len(b)/(len(b)-len(rest))) // names of a folder are of a length
		}
		out = append(out, e.Entry())
		b = rest
	}
}

// known is a mode, which is nearly always one of ours.
func known(mode []byte) string {
	switch string(mode) {
	case ModeFile:
		return ModeFile
	case ModeDir:
		return ModeDir
	}
	return string(mode)
}

// Compare orders entries as git does: a folder stands as if its name ended with a slash.
func (e Entry) Compare(o Entry) int {
	return compare(e.Name, e.Mode == ModeDir, o.Name, o.Mode == ModeDir)
}

func compare[T string | []byte](a T, aIsDir bool, b T, bIsDir bool) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return cmp.Compare(at(a, aIsDir, n), at(b, bIsDir, n))
}

// at is the byte at n of the name that orders an entry, 0 behind its end.
func at[T string | []byte](name T, isDir bool, n int) byte {
	switch {
	case n < len(name):
		return name[n]
	case n == len(name) && isDir:
		return '/'
	}
	return 0
}

// Encode returns a tree of one level. Entries must be in git's order.
func Encode(entries ...Entry) []byte {
	b := make([]byte, 0, 64*len(entries))
	for _, e := range entries {
		b = append(append(append(append(b, e.Mode...), ' '), e.Name...), 0)
		b, _ = hex.AppendDecode(b, []byte(e.ID))
	}
	return b
}

// An Entry is one of a tree, with its id in hex.
type Entry struct{ Mode, Name, ID string }

// Of is the id of a commit's tree.
func Of(commit []byte) string {
	line, _, _ := bytes.Cut(commit, []byte{'\n'})
	return string(bytes.TrimPrefix(line, []byte("tree ")))
}
