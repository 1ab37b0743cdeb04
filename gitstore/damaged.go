package gitstore

import "github.com/git-sage/git-sage/gitstore/internal/fsx"

// A damagedError is ErrDamaged of a checkpoint. It is ErrNotFound too: who goes on
// without a checkpoint that is not there goes on without one that cannot be read.
type damagedError string

func (e damagedError) Error() string {
	return "checkpoint '" + string(e) + "' " + ErrDamaged.Error() + "; run 'git sage fsck'"
}

func (damagedError) Is(target error) bool { return target == ErrDamaged || target == ErrNotFound }

// isDamaged reports whether there is a file of an object that git says it does not
// have: it has none that is empty.
func (s *Store) isDamaged(id string) bool {
	if !s.isID(id) {
		return false
	}
	_, err := fsx.Lstat(s.objectFile(id))
	return err == nil
}
