package pass

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/reflog"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// Logs reads git's logs of our refs.
type Logs struct {
	repo  *repo.Repo
	moves map[string]LoggedMove // by the id that a ref went to; nil before it is asked
}

// A LoggedMove is what the log of a ref says of the commit that it went to.
type LoggedMove struct {
	About  string // the description of the commit
	Before string // what the ref was until then: its first parent; "" is none
}

// Logged is what the logs of our refs say of a commit, also when it is gone.
func (lg *Logs) Logged(id string) LoggedMove {
	if lg.moves == nil {
		lg.moves = map[string]LoggedMove{}
		_ = fsx.WalkDir(filepath.Join(lg.repo.Where.CommonDir, "logs", "refs", "sage"), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				b, _ := fsx.ReadFile(path)
				for line := range bytes.Lines(b) {
					lg.note(git.Text(line))
				}
			}
			return nil
		})
	}
	return lg.moves[id]
}

func (lg *Logs) note(line string) {
	head, said, _ := strings.Cut(line, "\t")
	f := strings.Fields(head)
	if len(f) < 2 || !lg.IsID(f[1]) {
		return
	}
	l := lg.moves[f[1]]
	if _, about, ok := strings.Cut(strings.TrimPrefix(said, "sage: "), ": "); ok {
		l.About = about
	}
	if lg.IsID(f[0]) {
		l.Before = f[0]
	}
	lg.moves[f[1]] = l
}

// values are the values in the log of a ref, newest first. Torn lines are passed over.
func (lg *Logs) values(name string) (out []Value) {
	b, err := fsx.ReadFile(filepath.Join(lg.repo.Where.CommonDir, "logs", filepath.FromSlash(name)))
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(b) {
		f := strings.Fields(string(line))
		if len(f) < 2 || len(f[0]) != len(f[1]) || !lg.IsID(f[1]) {
			continue
		}
		out = append(out, Value{ID: f[1], When: reflog.At(string(line)), Source: "the log of the ref"})
	}
	slices.Reverse(out)
	return out
}

// IsID reports whether s is an id of this repository, and not the one that
// stands for none.
func (lg *Logs) IsID(s string) bool {
	zero := lg.repo.Objects.Zero()
	return len(s) == len(zero) && s != zero && record.IsHex(s)
}
