package cli

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// A target is the store that a process in the background is to work on, by the random id of
// its repository and the folder of ours in the git directory. By the time the process begins,
// and while it works, the repository may have been moved or deleted, and none or another one
// may lie where it was. That is not to be worked on, and neither is the user's own store in
// its place. The zero target is what lies where the command is run.
type target struct{ id, folder string }

// targetOf is the target that a store is. One that can have no id has no use for a process:
// nothing that is made could be kept.
func targetOf(s *gitstore.Store) (target, error) {
	id, err := s.Identity()
	return target{id, s.Folder()}, err
}

// String, Set and Type make a target the value of an option.
func (t *target) String() string { return strings.TrimSpace(t.id + " " + t.folder) }

// Set reads what String writes.
func (t *target) Set(s string) error {
	id, folder, ok := strings.Cut(s, " ")
	if !ok || id == "" || folder == "" {
		return errors.New("want the id of a repository and a folder")
	}
	*t = target{id, folder}
	return nil
}

// Type is what help would call it.
func (*target) Type() string { return "store" }

// flag adds the option to a command that is started in the background. It is for us alone.
func (t *target) flag(f *pflag.FlagSet) {
	f.Var(t, targetFlag, "end quietly unless this `store` is there")
	_ = f.MarkHidden(targetFlag) // it was defined just now
}

const targetFlag = "for-store"

// isThere reports whether the store lies where it did.
func (t target) isThere() bool { return t.folder == "" || gitstore.IdentityIn(t.folder) == t.id }

// is reports whether a store is the one.
func (t target) is(s *gitstore.Store) bool {
	if t.folder == "" {
		return true
	}
	at, err := os.Stat(t.folder)
	opened, err2 := os.Stat(s.Folder())
	return err == nil && err2 == nil && os.SameFile(at, opened)
}

// workOn opens the memory of a target and works on it. What goes wrong because the target
// is gone is no failure: there is nothing left to do.
func (a *app) workOn(ctx context.Context, t target, work func(*recall.Memory) error) error {
	if !t.isThere() {
		return nil
	}
	a.inside = a.inside || t.folder != ""
	m, err := a.open(ctx)
	if err == nil && t.is(m.Store) {
		err = work(m)
	}
	if !t.isThere() {
		return nil
	}
	return err
}
