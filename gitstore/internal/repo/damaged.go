package repo

import (
	"path/filepath"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A DamagedError is ErrDamaged of a checkpoint. It is ErrNotFound too: who goes on
// without a checkpoint that is not there goes on without one that cannot be read.
type DamagedError string

func (e DamagedError) Error() string {
	return "checkpoint '" + string(e) + "' " + ErrDamaged.Error()
}

// Remedies is a check of the whole memory.
func (DamagedError) Remedies() []remedy.Remedy { return []remedy.Remedy{remedy.Check.On()} }

func (DamagedError) Is(target error) bool { return target == ErrDamaged || target == ErrNotFound }

// IsDamaged reports whether there is a file of an object that git says it does not
// have: it has none that is empty.
func (rp *Repo) IsDamaged(id string) bool {
	if !rp.IsID(id) {
		return false
	}
	_, err := fsx.Lstat(rp.ObjectFile(id))
	return err == nil
}

// ObjectFile is the file of an object that lies loose.
func (rp *Repo) ObjectFile(id string) string {
	return filepath.Join(rp.Where.Objects, id[:2], id[2:])
}

// SHA256 reports whether the repository names its objects by SHA-256.
func (rp *Repo) SHA256() bool { return rp.Where.Format == "sha256" }
