package repo

import (
	"context"
	"errors"
	"fmt"
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

// PrivateCheckpoints are the checkpoints of private lines, by id: the line. What a line had before
// it was private is none of them.
func (rp *Repo) PrivateCheckpoints(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	list, err := rp.PrivateLines()
	if err != nil {
		return nil, fmt.Errorf("read the list of private lines: %w", err)
	}
	for _, l := range list {
		tip, err := rp.Tip(ctx, refname.HeadRef(l.Name))
		if err != nil {
			return nil, err
		}
		if tip == "" {
			continue
		}
		args := []string{"rev-list", "--first-parent", tip}
		if l.Base != "0" {
			args = append(args, "^"+l.Base)
		}
		ids, err := rp.Git.Run(ctx, args...)
		if err != nil {
			return nil, fmt.Errorf("list what is private on '%s': %w", l.Name, err)
		}
		for id := range strings.FieldsSeq(string(ids)) {
			out[id] = l.Name
		}
	}
	return out, nil
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
