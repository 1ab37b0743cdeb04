package gitstore

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/activity"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/confirm"
	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/exchange"
	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gitconfig"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/remotes"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/internal/transcripts"
	"github.com/git-sage/git-sage/gitstore/internal/undo"
	"github.com/git-sage/git-sage/gitstore/internal/vault"
	"github.com/git-sage/git-sage/gitstore/internal/verify"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/internal/worktree"
	"github.com/git-sage/git-sage/gitstore/internal/write"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// What the rooms below make, under the names by which callers know it.
type (
	Act            = undo.Act
	RemoteWay      = remotes.Way
	RemoteWaits    = remotes.Waiting
	Sent           = remotes.Sent
	Synced         = remotes.Synced
	Survey         = remotes.Survey
	Auto           = remotes.Auto
	Noticed        = remotes.Noticed
	Pushed         = remotes.Pushed
	Active         = activity.Person
	ActiveAct      = activity.Act
	AmbiguousError = record.AmbiguousError
	Blame          = worktree.Blame
	BlamedCommit   = worktree.BlamedCommit
	Brought        = confirm.Brought
	Chain          = write.Chain
	ClaimedMarker  = session.ClaimedMarker
	Confirmation   = confirm.Confirmation
	Conversation   = transcripts.Conversation
	CoreFile       = knowledge.CoreFile
	DanglingLink   = knowledge.DanglingLink
	Diagnosis      = part.Diagnosis
	Draft          = ledger.Draft
	Fetched        = exchange.Fetched
	FetchedAct     = exchange.FetchedAct
	FilterError    = record.FilterError
	Finding        = part.Finding
	GitError       = git.Error
	Import         = confirm.Import
	ItemAuthor     = knowledge.ItemAuthor
	ItemChange     = knowledge.ItemChange
	ItemEntry      = knowledge.ItemEntry
	ItemLink       = knowledge.ItemLink
	ItemOrigin     = knowledge.ItemOrigin
	ItemsSaved     = knowledge.ItemsSaved
	Kept           = transcripts.Kept
	Line           = commits.Line
	LineNote       = commits.LineNote
	LostError      = journal.LostError
	Marker         = session.Marker
	MergeRequest   = write.MergeRequest
	Merged         = write.Merged
	MergedLine     = follow.MergedLine
	NotedCommit    = notes.Commit
	NoItemError    = knowledge.NoItemError
	NotFoundError  = commits.NotFoundError
	Options        = repo.Options
	Parted         = activity.Parted
	PurgeItem      = purge.PurgeItem
	LivingFile     = purge.LivingFile
	PurgePlan      = purge.PurgePlan
	PurgePush      = purge.PurgePush
	PurgeRequest   = purge.PurgeRequest
	Purged         = purge.Purged
	Query          = commits.Query
	Record         = record.Record
	Reader         = vault.Reader
	Redaction      = redact.Finding
	RepairRequest  = verify.RepairRequest
	Repaired       = verify.Repaired
	Report         = verify.Report
	Saved          = ledger.Saved
	SavedChain     = write.SavedChain
	Sighting       = activity.Sighting
	Speaker        = transcripts.Speaker
	Spot           = commits.Spot
	State          = part.State
	Tag            = write.Tag
	Talk           = transcripts.Talk
	Trace          = confirm.Trace
	Trust          = ownership.Trust
	TrustedSource  = ownership.Source
	Arrival        = ownership.Arrival
	Signature      = confirm.Signature
	UndoError      = undo.UndoError
	Undone         = undo.Undone
	UnfetchedError = exchange.UnfetchedError
	UnmergedLine   = follow.UnmergedLine
	Utterance      = transcripts.Utterance
	Version        = ownership.Version
	Wanted         = transcripts.Wanted
)

const (
	AuthorFirst    = knowledge.AuthorFirst
	AuthorHere     = knowledge.AuthorHere
	AuthorThere    = knowledge.AuthorThere
	ByAgent        = transcripts.ByAgent
	ByAnswer       = transcripts.ByAnswer
	ByCall         = transcripts.ByCall
	ByContext      = transcripts.ByContext
	ByNote         = transcripts.ByNote
	ByPerson       = transcripts.ByPerson
	BySummary      = transcripts.BySummary
	ContradictedBy = knowledge.ContradictedBy
	DefaultLine    = refname.DefaultLine
	ExtendedBy     = knowledge.ExtendedBy
	FetchedHolds   = exchange.FetchedHolds
	FetchedNew     = exchange.FetchedNew
	FetchedPurged  = exchange.FetchedPurged
	FetchedRefused = exchange.FetchedRefused
	FetchedWaits   = exchange.FetchedWaits
	KindCheckpoint = record.KindCheckpoint
	KindMerge      = record.KindMerge
	KindTombstone  = record.KindTombstone
	KnowledgeRef   = refname.KnowledgeRef
	RemoteNotes    = notes.TrackedAs
	ReplacedBy     = knowledge.ReplacedBy
	Replaces       = knowledge.Replaces
	StateError     = part.StateError
	StateOK        = part.StateOK
	StateWarning   = part.StateWarning
	SupersededBy   = knowledge.SupersededBy
	SyncTrigger    = record.SyncTrigger
	TrustAuthor    = ownership.TrustAuthor
	TrustKey       = ownership.TrustKey
	TrustRemote    = ownership.TrustRemote
	TrustSigner    = ownership.TrustSigner
)

var (
	ErrBroken         = discover.ErrBroken
	ErrChanged        = repo.ErrChanged
	ErrDamaged        = repo.ErrDamaged
	ErrDisabled       = gitconfig.ErrDisabled
	ErrExists         = repo.ErrExists
	ErrName           = refname.ErrName
	ErrNewer          = repo.ErrNewer
	ErrNoCommit       = repo.ErrNoCommit
	ErrNoConversation = transcripts.ErrNoConversation
	ErrNoPerson       = repo.ErrNoPerson
	ErrNotFound       = repo.ErrNotFound
	ErrNotKept        = repo.ErrNotKept
	ErrNotRepository  = discover.ErrNotRepository
	ErrNothing        = repo.ErrNothing
	ErrNoLines        = worktree.ErrNoLines
	ErrPath           = worktree.ErrPath
	ErrNoSharing      = repo.ErrNoSharing
	ErrUnshared       = remotes.ErrUnshared
	ErrPurged         = rewritten.ErrPurged
	ErrRemoved        = repo.ErrRemoved
)

// TextSum is the sum of what an item says, whatever it is called and whose it is.
func TextSum(it *sage.Item) string { return ownership.TextSum(it) }

// CheckpointSum is the sum of what a checkpoint says, "" if it says nothing.
func CheckpointSum(c *sage.Checkpoint) string { return ownership.SumOfCheckpoint(c) }

// ItemSum is the sum of what an item of a key says.
func ItemSum(key string, it *sage.Item) string { return ownership.SumOf(key, it, false) }

// AlwaysSum names what an item says and that it is to be given with every prompt, "" if
// it is not. [Store.Ownership].Vouched tells whether somebody here wants that.
func AlwaysSum(e ItemEntry) string { return confirm.AlwaysSum(e) }

// BroughtSum is the sum by which a text of another tool, or a name that it has there, is known
// again; see [Brought].
func BroughtSum(text string) string { return confirm.BroughtSum(text) }

// CheckName returns an error that wraps ErrName and says what is wrong with
// the name of a line, tag or knowledge item: [a-z0-9][a-z0-9._-]{0,99}, no
// "..", no ".lock" at the end, no Windows device name. The grammar leaves no
// two names that differ only in case, and none that git or a file system
// refuses.
func CheckName(name string) error { return refname.CheckTypedName(name) }

// FileSystem names the kind of file system that a path lies on, "" if nobody tells, and
// says whether this machine alone writes to it.
func FileSystem(path string) (name string, local bool) { return fsx.Kind(path) }

// IdentityIn is the identity of the repository that a folder belongs to, as
// [Store.Repo].Folder names it; "" if there is none, or none any more.
func IdentityIn(folder string) string { return knowledge.IdentityIn(folder) }

// InShell is a word as a shell takes it, in quotes only where it needs them.
func InShell(s string) string { return wording.InShell(s) }

// IsDate reports whether git can make something of a date: it takes what it does not know
// for now, and says nothing.
func IsDate(s string) bool { return commits.IsDate(s) }

// ItemKeyOf is the key of the item, pinned note, skill or text of a skill that lies at a path
// of the knowledge tree; ok is false where none does.
func ItemKeyOf(file string) (key string, ok bool) { return knowledge.ItemKeyOf(file) }

// LinksOf are the links of an item from both ends, as far as its own and those of
// items tell: its own first, then by kind and id. A link that both have counts once,
// and what supersedes an item is not said to replace it, too.
func LinksOf(it *sage.Item, items []ItemEntry) []ItemLink { return knowledge.LinksOf(it, items) }

// MergeText brings two texts together that were made of base, as git merges files: it
// is git merge-file. ok is false if both changed the same lines in different ways;
// there is no merged text then. Of o the home and the environment are of interest.
func MergeText(ctx context.Context, o Options, base, ours, theirs []byte) (merged []byte, ok bool, err error) {
	return write.MergeText(ctx, o, base, ours, theirs)
}

// WithoutLinks is a path without symbolic links, as far as it is there.
func WithoutLinks(name string) string { return worktree.WithoutLinks(name) }
