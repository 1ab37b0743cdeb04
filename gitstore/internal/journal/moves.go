package journal

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// FailedSays is the reason of a move that takes back one which did not succeed.
const FailedSays = "sage: undo what did not become durable"

// A LostError says that a ref does not hold what was acknowledged on it: somebody
// rewrote or removed it behind our back. Nothing is put on such a ref, since what
// was lost would then be past finding.
type LostError struct {
	Ref  string    // full name
	Want string    // the last acknowledged value
	Have string    // what git has there, which does not contain it; "" is nothing
	At   time.Time // when Want was acknowledged
}

func (e *LostError) Error() string {
	has := "the ref is gone"
	if e.Have != "" {
		has = "the ref is at " + record.Short(e.Have) + ", which does not contain it"
	}
	return fmt.Sprintf("'%s' lost checkpoint %s (saved %s): %s", refname.ShortName(e.Ref), record.Short(e.Want), e.At.Format("2006-01-02 15:04"), has)
}

// Remedies is to repair the ref, or to accept the loss.
func (e *LostError) Remedies() []remedy.Remedy {
	return []remedy.Remedy{remedy.SettleLoss.On(refname.ShortName(e.Ref))}
}

// Agrees reports whether a ref may have this value without anything being lost.
func (e Entry) Agrees(tip string) bool {
	return e.New == "" || e.New == tip || slices.Contains(e.Begun, tip)
}

// ErrMoved says that a ref did not have the value it was expected to have.
var ErrMoved = errors.New("the ref moved meanwhile")

// A Move is one ref's part of a transaction. An empty old means that the ref
// must not exist, an empty new that it is to be deleted.
type Move struct{ Ref, Old, New string }
