package gitstore

import (
	"errors"
	"fmt"
	"time"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Options say which store to open, and on whose behalf.
type Options struct {
	Dir     string                               // where to look for the repository; "" is the working directory
	Global  bool                                 // open the user's own store, Home/memory.git, wherever Dir is
	Folder  string                               // with Global: the folder outside of git whose line is meant; "" is none
	Home    string                               // the user-wide folder, usually ~/.sage
	Env     []string                             // environment for git, in the form of os.Environ
	Guest   bool                                 // a hook or server: GIT_DIR and the like in Env are somebody else's, drop them
	Session string                               // session of the agent on whose behalf this is; "" is a person at a shell
	Agent   string                               // name of the agent, recorded in what it saves
	Person  bool                                 // a person is at work, and no agent: what they confirm or say anew they stand for
	Now     func() time.Time                     // the clock; nil is time.Now
	Redact  *redact.Redactor                     // nil is redact.Default()
	Writing bool                                 // a save follows: what it needs is asked beside the discovery
	After   func(time.Duration) <-chan time.Time // the clock of [Store.Tell]; nil is time.After
}

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
	Line        string   // the line it belongs to
	Ref         string   // the ref that holds it: the line's, or that of a fork beside it
	Forked      bool     // another session moved the line, so the thought went to a fork
	Aside       bool     // and the session did not go there, see [Draft]
	Unsettling  bool     // it continues a merge that nobody settled
	Parents     []string // what it continues
	Follows     string   // the checkpoint that it continues, behind any removals; "" is none
	Continues   string   // description of that
	Followed    Record   // all that a list shows of it
	Description string
	Explored    int              // files that it names as read
	Changed     int              // and as changed
	CodeRefs    int              // places in the code that it points to
	Redacted    []redact.Finding // what was taken out before it was written
	Warnings    []string         // what a person should know
}

// A Record is what a commit message tells of a checkpoint: all that a list needs.
type Record struct {
	ID          string
	Parents     []string
	Author      string // which anybody can claim to be
	Email       string
	Own         bool      // it was made here by this user, or they stand for it; all else came from elsewhere, whoever it names
	Unconfirmed bool      // rules made it, see [sage.Rules], and nobody confirmed it or saved on top of it
	Time        time.Time // when it was thought: the author's date
	Recorded    time.Time // the committer's date
	Kind        Kind
	Format      int // 0 is unknown; one above that of this version can be read, not changed
	Description string
	Thesis      string
	Question    string
	Trigger     sage.Trigger
	Confidence  *float64
	Skill       string
	Project     string
	Template    string
	Messages    int
	Tokens      int
	Code        sage.CodeState
	Session     string
	Agent       string
	Names       []string // lines, forks and tags that point to it, in short form
	Removed     bool     // a tombstone holds for it
	Removes     []string // of a tombstone: what it removes
	Restores    []string // of a tombstone: what it brings back
	Aliases     []string
	Signature   string // what git says of its signature, if asked: as %G?
}

// A Kind says what sort of commit it is.
type Kind string

// The kinds of commits on a line.
const (
	KindCheckpoint Kind = "checkpoint"
	KindMerge      Kind = "merge"
	KindTombstone  Kind = "tombstone"
)

// A Query chooses records. The zero Query is the current line, newest first.
type Query struct {
	Revs       []string // names, ids or ranges a..b; none is the session's position
	Line       string   // only this line
	All        bool     // every line and fork, and what maintenance hides
	Max        int      // at most so many; 0 is all
	Skip       int
	Since      string // as git log takes it
	Until      string
	Author     string // regular expression, as git log takes it
	Grep       string // regular expression over description, thesis and question
	IgnoreCase bool
	Reverse    bool
	Skill      string
	Project    string
	Trigger    sage.Trigger
	Paths      []string                                    // only checkpoints that explored, changed or refer to one of these
	Removed    bool                                        // also what is removed, marked as such
	Signatures bool                                        // fill in Record.Signature
	MaxAge     time.Duration                               // hide what is older, unless All; 0 is never
	MaxCount   int                                         // hide what is beyond so many a line, recoveries first, unless All; 0 is never
	Wanted     bool                                        // somebody asked for Max, which goes before MaxCount
	Hidden     *int                                        // Log counts what it hid, 0 of a list that Max ended; may be nil
	Limits     func() (maxAge time.Duration, maxCount int) // those two, asked for with the first record; may be nil

	from time.Time // Since, where git cannot do it
}

// A Line is a chain of checkpoints, or a fork beside one.
type Line struct {
	Name    string // main, or main/3f2a91c0 for a fork
	Ref     string
	Tip     string
	Fork    bool
	Of      string  // of a fork: the line it left
	Current bool    // where this worktree stands
	Latest  *Record // the newest checkpoint that is not removed; nil if there is none
	Note    LineNote
}

// A LineNote is what lines/<line>.yaml of the knowledge tree says of a line.
type LineNote struct {
	Branches  []string       `yaml:"branches,omitempty"` // of git's, that it goes with
	Gone      []string       `yaml:"gone,omitempty"`     // those that were deleted
	Began     string         `yaml:"began,omitempty"`    // the user's commit at which the branch was made
	Closed    bool           `yaml:"closed,omitempty"`
	ClosedAt  string         `yaml:"closed_at,omitempty"` // the tip then: a line that has moved since is open again
	RenamedTo string         `yaml:"renamed_to,omitempty"`
	Extra     map[string]any `yaml:",inline"` // what a newer version wrote
}

// A MergeRequest brings another line, fork or checkpoint into the current line.
type MergeRequest struct {
	Rev        string // what to merge; "" with a Thesis settles the unsettled merge at the tip
	Thesis     string // the synthesis; "" leaves disagreeing theses to be settled
	Confidence *float64
	Draft      Draft // further fields that the author of the merge gives
}

// Merged says what became of a [MergeRequest].
type Merged struct {
	Saved
	UpToDate    bool // nothing to merge
	FastForward bool // the line only moved
	Unsettled   bool // theses disagree: a merge with a thesis is wanted
	Folded      []string
}

// A Tag is a name for a checkpoint.
type Tag struct {
	Name, ID string
}

// A Finding is something that fsck found. Its String is one line.
type Finding struct {
	Kind    string // what sort of trouble: missing-object, bad-ref, bad-format, ...
	Subject string // ref, id or path
	Detail  string
	Cure    string // what to type, or ""
	ID      string // the whole id of the checkpoint that it is about, or ""
	Warning bool   // no harm yet
}

func (f Finding) String() string {
	s := fmt.Sprintf("%s %s: %s", f.Kind, f.Subject, f.Detail)
	if f.Cure != "" {
		s += "; " + f.Cure
	}
	return s
}

// Status is where a person or session stands.
type Status struct {
	Repository string // top of the work tree, or the git directory of a bare repository
	GitDir     string
	CommonDir  string
	Line       string
	Branch     string // of git's, that the line goes with (follow_branch); "" where none is followed
	Begins     bool   // the line begins with the next save
	Session    string
	Parent     *Record // what the next save continues; nil if nothing was saved yet
	Lost       error   // why nothing can be saved on the line: it lost what was saved there, see LostError; mostly nil
	Detached   bool    // the parent is not the tip of the line: the next save goes to a fork
	Forks      []Line  // of every line, not yet merged
	Lines      int
	Unsettled  []Record       // tips whose thesis is NEEDS SYNTHESIS
	Merged     []MergedLine   // lines whose branch is in the one that is checked out
	Unmerged   []UnmergedLine // the others whose branch was deleted
	Refused    []Refused      // what remotes have that was not taken in, and that nobody was told of
	Disagree   []string       // files of the knowledge in which a merge left versions that disagree
	Items      int            // of knowledge
	Saved      time.Time      // when something was saved last; zero is never
	Recalled   time.Time      // when a session was given an item last; zero is never, or not of late
	Identity   string
	Fallback   bool // no identity is configured: Identity is git-sage's own
	Disabled   bool // sage.enabled is false
}

// Questions that callers ask of an error.
var (
	ErrNotRepository = errors.New("not a git repository")
	ErrBroken        = errors.New("is no repository any more for git") // parts of it are missing
	ErrNotFound      = errors.New("no such checkpoint")
	ErrNotKept       = errors.New("the session's position cannot be kept") // what was asked for is there all the same
	ErrDamaged       = errors.New("is there, and damaged")
	ErrDisabled      = errors.New("git-sage is switched off here (sage.enabled=false)")
	ErrExists        = errors.New("already exists")
	ErrName          = errors.New("bad name")
	ErrPath          = errors.New("bad path") // of a file that is none of the repository's
	ErrRemoved       = errors.New("checkpoint is removed")
	ErrNothing       = errors.New("nothing to do")
	ErrNoCommit      = errors.New("is no commit of the knowledge")
	ErrNoPerson      = errors.New("only a person confirms what came from elsewhere: in a terminal of their own, not through an agent")
	ErrChanged       = errors.New("it changed since it was shown; look again")
	ErrNewer         = errors.New("made by a newer git-sage; upgrade this one")
)

// A FilterError says what is wrong with a filter of a query: grep, author, since or until.
type FilterError struct {
	Field string
	Err   error
}

func (e *FilterError) Error() string { return e.Field + ": " + e.Err.Error() }
func (e *FilterError) Unwrap() error { return e.Err }

// An AmbiguousError lists the checkpoints that a short id may mean.
type AmbiguousError struct {
	Prefix     string
	Candidates []Record
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("short id '%s' is ambiguous", e.Prefix)
}

// Digits is how many digits of the candidates' ids tell one from another: at
// least 8, as ids are shown. Among a million checkpoints about 116 pairs share
// their first 8.
func (e *AmbiguousError) Digits() int {
	n := len(short(e.Candidates[0].ID))
	for i, a := range e.Candidates {
		for _, b := range e.Candidates[:i] {
			for n < min(len(a.ID), len(b.ID)) && a.ID[:n] == b.ID[:n] {
				n++
			}
		}
	}
	return n
}
