package repo

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A PrivateLine is a line that never leaves. The file sage/private lists them, one a line: the
// id that the line stood at before it was private, or 0 if all of it is, and its name.
type PrivateLine struct{ Base, Name string }

// PrivateFile lists the private lines.
func (rp *Repo) PrivateFile() string { return rp.Dir("private") }

// PrivateLines are the lines that never leave.
func (rp *Repo) PrivateLines() (out []PrivateLine, err error) {
	b, err := fsx.ReadOwn(rp.PrivateFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for l := range strings.Lines(string(b)) {
		base, name, ok := strings.Cut(strings.TrimSpace(l), " ")
		if ok && refname.CheckName(name) == nil {
			out = append(out, PrivateLine{base, name})
		}
	}
	return out, err
}

// PrivateNames are the names of the private lines.
func (rp *Repo) PrivateNames() (names []string) {
	list, _ := rp.PrivateLines()
	for _, p := range list {
		names = append(names, p.Name)
	}
	return names
}

// IsPrivate reports whether a line never leaves. One that cannot be looked up is taken for one.
func (rp *Repo) IsPrivate(line string) bool {
	list, err := rp.PrivateLines()
	return err != nil || slices.ContainsFunc(list, func(p PrivateLine) bool { return p.Name == line })
}
