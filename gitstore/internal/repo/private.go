package repo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

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

const saidWait = 10 * time.Second

// LockSaid has one at a time change what a person said of what may leave: of two at once one would
// write what it read before the other, and a line that is private, or a remote that gets nothing
// more, would be forgotten.
func (rp *Repo) LockSaid(ctx context.Context) (*fsx.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, saidWait)
	defer cancel()
	lock, waited, err := fsx.TryLock(ctx, rp.Dir("said.lock"))
	if err == nil && lock == nil && waited {
		err = errors.New("another process has it")
	}
	if err != nil {
		return nil, fmt.Errorf("lock what was said of remotes and lines: %w; nothing was changed", err)
	}
	return lock, nil
}

// ChangePrivateLines changes the list of private lines. Of several who do one at a time does.
func (rp *Repo) ChangePrivateLines(ctx context.Context, change func([]PrivateLine) []PrivateLine) error {
	lock, err := rp.LockSaid(ctx)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	list, err := rp.PrivateLines()
	if err != nil {
		return fmt.Errorf("read the list of private lines: %w", err)
	}
	var b strings.Builder
	for _, p := range change(list) {
		fmt.Fprintf(&b, "%s %s\n", p.Base, p.Name)
	}
	return fsx.WriteFile(rp.PrivateFile(), []byte(b.String()), 0o600)
}

// stoodAt are the ids of which the journal says that a line or a fork of it was there: what an undo
// took off a private line may still have a tag.
func (rp *Repo) stoodAt(line string) (ids []string, err error) {
	for _, file := range []string{"journal.old", "journal"} {
		b, err := fsx.ReadOwn(rp.Dir(file))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for l := range strings.Lines(string(b)) {
			f := strings.Fields(l)
			i := slices.IndexFunc(f, func(ref string) bool {
				return ref == refname.HeadRef(line) || strings.HasPrefix(ref, refname.ForksPrefix+line+"/")
			})
			if i < 2 {
				continue
			}
			for _, id := range f[i-2 : i] {
				if len(id) == 2*rp.IDSize() {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids, nil
}

// PrivateCheckpoints are the checkpoints of private lines and their forks, by id: the line. What a
// line had before it was private is none of them.
func (rp *Repo) PrivateCheckpoints(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	list, err := rp.PrivateLines()
	if err != nil {
		return nil, fmt.Errorf("read the list of private lines: %w", err)
	}
	for _, l := range list {
		refs, err := rp.Refs(ctx, refname.HeadRef(l.Name), refname.ForksPrefix+l.Name+"/")
		if err != nil {
			return nil, err
		}
		tips, err := rp.stoodAt(l.Name)
		if err != nil {
			return nil, fmt.Errorf("look where '%s' stood: %w", l.Name, err)
		}
		for _, ref := range refs {
			tips = append(tips, ref.ID)
		}
		if len(tips) == 0 {
			continue
		}
		if l.Base != "0" {
			tips = append(tips, "^"+l.Base)
		}
		ids, err := rp.Git.Feed(ctx, []byte(strings.Join(tips, "\n")+"\n"), "rev-list", "--first-parent", "--ignore-missing", "--stdin")
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
func (rp *Repo) IsPrivate(line string) bool { return rp.Privacy()(line) }

// Privacy is [Repo.IsPrivate] of many lines: the list is read once.
func (rp *Repo) Privacy() func(line string) bool {
	list, err := rp.PrivateLines()
	return func(line string) bool {
		return err != nil || slices.ContainsFunc(list, func(p PrivateLine) bool { return p.Name == line })
	}
}
