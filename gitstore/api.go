package gitstore

import (
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/exchange"
	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// Status is where a person or session stands.
type Status struct {
	Repository string // top of the work tree, or the git directory of a bare repository
	GitDir     string
	CommonDir  string
	Line       string
	Branch     string // of git's, that the line goes with (follow_branch); "" where none is followed
	OffBranch  bool   // HEAD is detached from that branch
	Paired     bool   // Line is that branch's line, and not the one that every default branch has
	Begins     bool   // the line begins with the next save
	Session    string
	Parent     *record.Record // what the next save continues; nil if nothing was saved yet
	Lost       error          // why nothing can be saved on the line: it lost what was saved there, see LostError; mostly nil
	Detached   bool           // the parent is not the tip of the line: the next save goes to a fork
	Forks      []commits.Line // of every line, not yet merged
	Lines      int
	Unsettled  []record.Record       // tips whose thesis is NEEDS SYNTHESIS
	Merged     []follow.MergedLine   // lines whose branch is in the one that is checked out
	Unmerged   []follow.UnmergedLine // the others whose branch was deleted
	Refused    []exchange.Refused    // what remotes have that was not taken in, and that nobody was told of
	Buried     []string              // checkpoints of this user's own that others removed, and that they said nothing of
	Disagree   []string              // files of the knowledge in which a merge left versions that disagree
	Items      int                   // of knowledge
	Saved      time.Time             // when something was saved last; zero is never
	Recalled   time.Time             // when a session was given an item last; zero is never, or not of late
	Identity   string
	Fallback   bool // no identity is configured: Identity is git-sage's own
	Disabled   bool // sage.enabled is false
}
