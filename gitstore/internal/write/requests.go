package write

import (
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
)

// A MergeRequest brings another line, fork or checkpoint into the current line.
type MergeRequest struct {
	Rev        string // what to merge; "" with a Thesis settles the unsettled merge at the tip
	Thesis     string // the synthesis; "" leaves disagreeing theses to be settled
	Confidence *float64
	Draft      ledger.Draft // further fields that the author of the merge gives
}

// Merged says what became of a [MergeRequest].
type Merged struct {
	ledger.Saved
	UpToDate    bool // nothing to merge
	FastForward bool // the line only moved
	Unsettled   bool // theses disagree: a merge with a thesis is wanted
	Folded      []string
}

// A Tag is a name for a checkpoint.
type Tag struct {
	Name, ID string
}
