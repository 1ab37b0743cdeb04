package repo

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"strings"
)

// The knowledge tree is one ref whose tree holds files: knowledge items, pinned
// notes, templates, notes of lines. Every change of it is a commit.

const (
	ModeFile = "100644"
	ModeDir  = "40000"
)

func ParseTree(b []byte, size int) (out []TreeEntry) {
	for len(b) > 0 {
		head, rest, ok := bytes.Cut(b, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < size {
			return out
		}
		out = append(out, TreeEntry{mode, name, hex.EncodeToString(rest[:size])})
		b = rest[size:]
	}
	return out
}

// Compare orders entries as git does: a folder stands as if its name ended with a slash.
func (e TreeEntry) Compare(o TreeEntry) int {
	n := min(len(e.Name), len(o.Name))
	if c := strings.Compare(e.Name[:n], o.Name[:n]); c != 0 {
		return c
	}
	return cmp.Compare(e.at(n), o.at(n))
}

// at is the byte at n of the name that orders an entry, 0 behind its end.
func (e TreeEntry) at(n int) byte {
	switch {
	case n < len(e.Name):
		return e.Name[n]
	case n == len(e.Name) && e.Mode == ModeDir:
		return '/'
	}
	return 0
}

// EncodeTree returns a tree of one level. Entries must be in git's order.
func EncodeTree(entries ...TreeEntry) []byte {
	b := make([]byte, 0, 64*len(entries))
	for _, e := range entries {
		b = append(append(append(append(b, e.Mode...), ' '), e.Name...), 0)
		b, _ = hex.AppendDecode(b, []byte(e.ID))
	}
	return b
}

type TreeEntry struct{ Mode, Name, ID string }

// TreeOf is the id of a commit's tree.
func TreeOf(commit []byte) string {
	line, _, _ := strings.Cut(string(commit), "\n")
	return strings.TrimPrefix(line, "tree ")
}

func (rp *Repo) IDSize() int { return len(rp.Objects.Zero()) / 2 }

// IsItemPath reports whether an item should lie at a path.
func IsItemPath(file string) bool {
	dir, _, _ := strings.Cut(file, "/")
	return (dir == ItemsDir || dir == SystemDir || dir == SkillsDir) && strings.HasSuffix(file, ".md")
}

// Items of knowledge lie at knowledge/<2 digits>/<id>.md: a flat folder of 10,000
// costs 400 kB a save, 256 of them 10. Pinned notes, skills and their texts are few,
// and lie in one folder each.
const (
	ItemsDir  = "knowledge"
	SystemDir = "system"
	LinesDir  = "lines"
	SkillsDir = "skills"

	TemplatesDir = "templates"
)
