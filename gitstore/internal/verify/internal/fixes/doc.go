// Package fixes is what a repair does: a fix for each sort of damage, and the record by which
// a repair is undone.
package fixes

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/session"
)

// A Fix is something that a repair can do about a finding.
type Fix interface {
	About() string                        // what is mended
	Will() string                         // what a repair does, in the third person
	Did() string                          // to stand behind what is mended
	Plan(r *Run) error                    // notes in r what will be replaced, and keeps it
	Do(ctx context.Context, r *Run) error // idempotent
}

// Rooms are what fixes write through.
type Rooms struct {
	Repo    *repo.Repo
	Journal *journal.Journal
	Ledger  *ledger.Ledger
	Backup  *backup.Backup
	Session *session.Memory
}

// A Source reads objects for a repair.
type Source interface {
	Read(id string) (git.Object, error)      // of the repository, if it is what its id says
	Elsewhere(id string) (git.Object, error) // of the backup, a clone that was named, or a damaged file that has it whole
}

// Order is the order in which fixes are carried out: locks go first, then objects come,
// since refs need them.
func Order(fixes []Fix) []Fix {
	out := slices.Clone(fixes)
	slices.SortStableFunc(out, func(a, b Fix) int { return rank(a) - rank(b) })
	return out
}

func rank(f Fix) int {
	switch f.(type) {
	case *Lock, *PackIndex:
		return 0
	case *Object:
		return 1
	case *Ref:
		return 2
	}
	return 3
}
