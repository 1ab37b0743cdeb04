package gitstore

import (
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/confirm"
	"github.com/git-sage/git-sage/gitstore/internal/doctor"
	"github.com/git-sage/git-sage/gitstore/internal/exchange"
	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/purge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/session"
	"github.com/git-sage/git-sage/gitstore/internal/transcripts"
	"github.com/git-sage/git-sage/gitstore/internal/undo"
	"github.com/git-sage/git-sage/gitstore/internal/verify"
	"github.com/git-sage/git-sage/gitstore/internal/write"
)

// What the rooms below make, under the names by which callers know it.
type (
	Act            = undo.Act
	ActKind        = undo.ActKind
	AmbiguousError = record.AmbiguousError
	Change         = knowledge.Change
	ClaimedMarker  = session.ClaimedMarker
	Confirmation   = confirm.Confirmation
	Conversation   = transcripts.Conversation
	CoreFile       = knowledge.CoreFile
	DanglingLink   = knowledge.DanglingLink
	Diagnosis      = doctor.Diagnosis
	Draft          = ledger.Draft
	Fetched        = exchange.Fetched
	FetchedAct     = exchange.FetchedAct
	FilterError    = record.FilterError
	Finding        = repo.Finding
	Import         = confirm.Import
	ItemAuthor     = knowledge.ItemAuthor
	ItemChange     = knowledge.ItemChange
	ItemEntry      = knowledge.ItemEntry
	ItemLink       = knowledge.ItemLink
	ItemOrigin     = knowledge.ItemOrigin
	ItemsSaved     = knowledge.ItemsSaved
	Kept           = transcripts.Kept
	Kind           = record.Kind
	Line           = commits.Line
	LineNote       = commits.LineNote
	LostError      = journal.LostError
	Marker         = session.Marker
	MergeRequest   = write.MergeRequest
	Merged         = write.Merged
	MergedLine     = follow.MergedLine
	NoItemError    = knowledge.NoItemError
	OpenTalk       = transcripts.OpenTalk
	Options        = repo.Options
	PurgeItem      = purge.PurgeItem
	PurgeLeft      = purge.PurgeLeft
	PurgePlan      = purge.PurgePlan
	PurgePush      = purge.PurgePush
	PurgeRequest   = purge.PurgeRequest
	Purged         = purge.Purged
	Query          = commits.Query
	Queued         = session.Queued
	Record         = record.Record
	Refused        = exchange.Refused
	RepairRequest  = verify.RepairRequest
	Repaired       = verify.Repaired
	Report         = verify.Report
	Saved          = ledger.Saved
	Speaker        = transcripts.Speaker
	Spot           = commits.Spot
	State          = doctor.State
	Tag            = write.Tag
	Talk           = transcripts.Talk
	Trust          = ownership.Trust
	UndoError      = undo.UndoError
	Undone         = undo.Undone
	UnfetchedError = exchange.UnfetchedError
	UnmergedLine   = follow.UnmergedLine
	Utterance      = transcripts.Utterance
	Wanted         = transcripts.Wanted
)

const (
	ActConfirm     = undo.ActConfirm
	ActKnowledge   = undo.ActKnowledge
	ActLine        = undo.ActLine
	ActMerge       = undo.ActMerge
	ActOther       = undo.ActOther
	ActRemove      = undo.ActRemove
	ActSave        = undo.ActSave
	ActTag         = undo.ActTag
	ActUndo        = undo.ActUndo
	ByAgent        = transcripts.ByAgent
	ByAnswer       = transcripts.ByAnswer
	ByCall         = transcripts.ByCall
	ByContext      = transcripts.ByContext
	ByNote         = transcripts.ByNote
	ByPerson       = transcripts.ByPerson
	BySummary      = transcripts.BySummary
	ContradictedBy = knowledge.ContradictedBy
	DefaultLine    = repo.DefaultLine
	ExtendedBy     = knowledge.ExtendedBy
	FetchedFolded  = exchange.FetchedFolded
	FetchedForward = exchange.FetchedForward
	FetchedHolds   = exchange.FetchedHolds
	FetchedMerged  = exchange.FetchedMerged
	FetchedNew     = exchange.FetchedNew
	FetchedPurged  = exchange.FetchedPurged
	FetchedRefused = exchange.FetchedRefused
	FetchedWaits   = exchange.FetchedWaits
	KindCheckpoint = record.KindCheckpoint
	KindMerge      = record.KindMerge
	KindTombstone  = record.KindTombstone
	KnowledgeRef   = repo.KnowledgeRef
	QueuedFor      = session.QueuedFor
	ReplacedBy     = knowledge.ReplacedBy
	Replaces       = knowledge.Replaces
	StateError     = doctor.StateError
	StateOK        = doctor.StateOK
	StateWarning   = doctor.StateWarning
	SupersededBy   = knowledge.SupersededBy
)

var (
	AlwaysSum         = confirm.AlwaysSum
	CheckName         = repo.CheckName
	ErrBroken         = repo.ErrBroken
	ErrChanged        = repo.ErrChanged
	ErrDamaged        = repo.ErrDamaged
	ErrDisabled       = repo.ErrDisabled
	ErrExists         = repo.ErrExists
	ErrName           = repo.ErrName
	ErrNewer          = repo.ErrNewer
	ErrNoCommit       = repo.ErrNoCommit
	ErrNoConversation = transcripts.ErrNoConversation
	ErrNoPerson       = repo.ErrNoPerson
	ErrNotFound       = repo.ErrNotFound
	ErrNotKept        = repo.ErrNotKept
	ErrNotRepository  = repo.ErrNotRepository
	ErrNothing        = repo.ErrNothing
	ErrPath           = repo.ErrPath
	ErrPurged         = rewritten.ErrPurged
	ErrRemoved        = repo.ErrRemoved
	FileSystem        = repo.FileSystem
	IdentityIn        = knowledge.IdentityIn
	InShell           = repo.InShell
	ItemKeyOf         = knowledge.ItemKeyOf
	LinksOf           = knowledge.LinksOf
	MergeText         = write.MergeText
)
