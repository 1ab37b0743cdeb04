package background

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/gitstore"
)

// A Target is the store that a process in the background is to work on, by the random id of
// its repository and the folder of ours in the git directory. By the time the process begins,
// and while it works, the repository may have been moved or deleted, and none or another one
// may lie where it was. That is not to be worked on, and neither is the user's own store in
// its place. The zero target is what lies where the command is run.
type Target struct{ id, Folder string }

// TargetOf is the target that a store is. One that can have no id has no use for a process:
// nothing that is made could be kept.
func TargetOf(s *gitstore.Store) (Target, error) {
	id, err := s.Knowledge.Identity()
	return Target{id, s.Repo.Folder()}, err
}

// String, Set and Type make a target the value of an option.
func (t *Target) String() string { return strings.TrimSpace(t.id + " " + t.Folder) }

// Set reads what String writes.
func (t *Target) Set(s string) error {
	id, folder, ok := strings.Cut(s, " ")
	if !ok || id == "" || folder == "" {
		return errors.New("want the id of a repository and a folder")
	}
	*t = Target{id, folder}
	return nil
}

// Type is what help would call it.
func (*Target) Type() string { return "store" }

// Flag adds the option to a command that is started in the background. It is for us alone.
func (t *Target) Flag(f *pflag.FlagSet) {
	f.Var(t, targetFlag, "end quietly unless this `store` is there")
	_ = f.MarkHidden(targetFlag) // it was defined just now
}

// Args say on a command line which store is meant.
func (t *Target) Args() []string { return []string{"--" + targetFlag, t.String()} }

const targetFlag = "for-store"

// IsThere reports whether the store lies where it did.
func (t Target) IsThere() bool { return t.Folder == "" || gitstore.IdentityIn(t.Folder) == t.id }

// Is reports whether a store is the one.
func (t Target) Is(s *gitstore.Store) bool {
	if t.Folder == "" {
		return true
	}
	at, err := os.Stat(t.Folder)
	opened, err2 := os.Stat(s.Repo.Folder())
	return err == nil && err2 == nil && os.SameFile(at, opened)
}
