package repo

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// QuickDirty says whether tracked files differ from HEAD, by what git's index
// remembers of each file, as `git diff-index` judges too: no content is read. It
// saves a save the process that takes longest. known is false where only git can
// tell: an index of another form or with flags, one whose tree is not written
// down, a file as young as the index itself, or more files than are looked at in
// a millisecond.
//
// The form is that of Documentation/gitformat-index in git, version 2.
func QuickDirty(top, gitDir, tree string) (dirty, known bool) {
	name := filepath.Join(gitDir, "index")
	b, err := fsx.ReadFile(name)
	st, serr := fsx.Stat(name)
	if err != nil || serr != nil || tree == "" {
		return false, false
	}
	ix, ok := parseIndex(b)
	if !ok || ix.tree != tree {
		return false, false
	}
	written := st.ModTime()
	for _, e := range ix.entries {
		now, err := fsx.Lstat(filepath.Join(top, e.name))
		if os.IsNotExist(err) {
			return true, true
		}
		if err != nil || !now.ModTime().Before(written) {
			return false, false
		}
		if !e.matches(now) {
			return true, true
		}
	}
	return false, true
}

// maxIndexed bounds the files that are looked at here: 2 µs each.
const maxIndexed = 500

type index struct {
	entries []indexEntry
	tree    string // of the whole, "" if the index does not say
}

// An indexEntry is a file as it was when git last looked.
type indexEntry struct {
	seconds, nanos uint32 // of its last change
	mode, size     uint32
	inode          uint32
	name           string
}

const (
	entrySize  = 62 // before the name
	plainFlags = 0x0fff
)

func parseIndex(b []byte) (ix index, ok bool) {
	if len(b) < 12+20 || string(b[:4]) != "DIRC" || binary.BigEndian.Uint32(b[4:]) != 2 {
		return ix, false
	}
	n := binary.BigEndian.Uint32(b[8:])
	if n > maxIndexed {
		return ix, false
	}
	rest := b[12 : len(b)-20] // a checksum ends it
	for range n {
		e, size := parseEntry(rest)
		if size == 0 {
			return ix, false
		}
		ix.entries = append(ix.entries, e)
		rest = rest[size:]
	}
	return ix, ix.extensions(rest)
}

// parseEntry returns the first entry and its length; 0 is one that git must judge.
func parseEntry(b []byte) (e indexEntry, size int) {
	if len(b) < entrySize {
		return e, 0
	}
	word := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	e = indexEntry{seconds: word(2), nanos: word(3), inode: word(5), mode: word(6), size: word(9)}
	flags := binary.BigEndian.Uint16(b[60:])
	end := bytes.IndexByte(b[entrySize:], 0)
	if end <= 0 || flags&^plainFlags != 0 || e.mode>>12 != 0o10 {
		return e, 0
	}
	e.name = string(b[entrySize : entrySize+end])
	size = (entrySize + end + 8) / 8 * 8
	if size > len(b) {
		return e, 0
	}
	return e, size
}

// extensions reads the tree that the index stands for, and refuses what changes
// the meaning of the entries: extensions with a lower-case name.
func (ix *index) extensions(b []byte) bool {
	for len(b) >= 8 {
		name, n := string(b[:4]), int64(binary.BigEndian.Uint32(b[4:]))
		if n > int64(len(b)-8) || name[0] >= 'a' {
			return false
		}
		if data := b[8 : 8+n]; name == "TREE" {
			ix.tree = rootTree(data)
		} else if name == "FSMN" || name == "UNTR" {
			return false
		}
		b = b[8+n:]
	}
	return len(b) == 0
}

// rootTree reads the first record: an empty name, how many entries it covers
// (-1: it is out of date), how many records follow below it, and its id.
func rootTree(b []byte) string {
	count, rest, ok := bytes.Cut(bytes.TrimPrefix(b, []byte{0}), []byte(" "))
	_, id, ok2 := bytes.Cut(rest, []byte("\n"))
	n, err := strconv.Atoi(string(count))
	if !ok || !ok2 || err != nil || n < 0 || len(id) < 20 {
		return ""
	}
	return hex.EncodeToString(id[:20])
}

// matches compares what git compares, less what differs from one system to the
// next; where only that differs, git's answer would be no other.
func (e indexEntry) matches(st fs.FileInfo) bool {
	at := st.ModTime()
	executable := e.mode&0o100 != 0
	return st.Mode().IsRegular() && uint32(st.Size()) == e.size &&
		uint32(at.Unix()) == e.seconds && (e.nanos == 0 || uint32(at.Nanosecond()) == e.nanos) &&
		(e.inode == 0 || uint32(fsx.Inode(st)) == e.inode) && executable == (st.Mode()&0o100 != 0)
}
