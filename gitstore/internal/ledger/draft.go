package ledger

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// A Draft is a checkpoint to be saved, and where.
type Draft struct {
	Checkpoint sage.Checkpoint
	Line       string // line to save on; "" is where the session stands
	Parent     string // revision to continue; "" is what the session last saw
	Automatic  bool   // nobody waits at a prompt: a missing identity or signing key must not stop it
	NoCode     bool   // do not record where the user's own code stands
	Aside      bool   // if it makes a fork, the session stays where it stands
	Correction bool   // it corrects one of those before it: what rules made of the others stays unconfirmed

	// ByHand says that somebody gave the code references just now, but for those in Before:
	// one that leads out of the repository is an error, and not left out, and one without a
	// blob gets that of the file as it is.
	ByHand bool
	Before []sage.CodeRef
}

// Saved says what became of a [Draft].
type Saved struct {
	ID          string
	Line        string        // the line it belongs to
	Ref         string        // the ref that holds it: the line's, or that of a fork beside it
	Forked      bool          // another session moved the line, so the thought went to a fork
	Aside       bool          // and the session did not go there, see [Draft]
	Unsettling  bool          // it continues a merge that nobody settled
	Parents     []string      // what it continues
	Follows     string        // the checkpoint that it continues, behind any removals; "" is none
	Continues   string        // description of that
	Followed    record.Record // all that a list shows of it
	Description string
	Explored    int              // files that it names as read
	Changed     int              // and as changed
	CodeRefs    int              // places in the code that it points to
	Redacted    []redact.Finding // what was taken out before it was written
	Unsigned    string           // why it is not signed, among the warnings; "" if it is, or need not be
	Warnings    []remedy.Note    // what a person should know
}

// RefName is the line or fork that holds it, as people write it.
func (s Saved) RefName() string {
	for _, prefix := range []string{refname.HeadsPrefix, refname.ForksPrefix} {
		if name, ok := strings.CutPrefix(s.Ref, prefix); ok {
			return name
		}
	}
	return s.Line
}
