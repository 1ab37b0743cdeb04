package recall

import (
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/internal/continuity"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/opening"
	"github.com/git-sage/git-sage/recall/internal/project"
	"github.com/git-sage/git-sage/recall/internal/prompts"
	"github.com/git-sage/git-sage/recall/internal/provenance"
	"github.com/git-sage/git-sage/recall/internal/review"
	"github.com/git-sage/git-sage/recall/internal/save"
	"github.com/git-sage/git-sage/recall/internal/search"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/similarity"
	"github.com/git-sage/git-sage/recall/internal/skills"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/templates"
	"github.com/git-sage/git-sage/recall/internal/write"
)

// What the rooms below make, under the names by which callers know it.
type (
	BriefOptions  = templates.BriefOptions
	Conclusion    = prompts.Conclusion
	Continuity    = continuity.Continuity
	Findings      = search.Findings
	Found         = search.Found
	Health        = stores.Health
	InvalidError  = save.InvalidError
	ItemChange    = write.ItemChange
	ItemQuery     = knowledge.ItemQuery
	Known         = knowledge.Known
	Mention       = prompts.Mention
	Mentions      = prompts.Mentions
	Near          = similarity.Near
	Note          = save.Note
	Opening       = opening.Opening
	Options       = stores.Options
	Recall        = prompts.Recall
	RecallOptions = prompts.RecallOptions
	Recalled      = search.Recalled
	Refresh       = stores.Refresh
	SearchOptions = search.SearchOptions
	Settings      = stores.Settings
	Skill         = skills.Skill
	SkillFile     = skills.SkillFile
	TemplatePlace = templates.TemplatePlace
	Tidied        = stores.Tidied
	Waiting       = review.Waiting
	WaitingCount  = review.WaitingCount
	Written       = write.Written
)

const (
	DedupThreshold  = similarity.DedupThreshold
	DefaultFound    = search.DefaultFound
	Extraction      = save.Extraction
	MaxErrandChars  = opening.MaxErrandChars
	MaxSessionChars = session.MaxSessionChars
	StartTokens     = opening.StartTokens
	WaitsCheckpoint = review.WaitsCheckpoint
	WaitsConflict   = review.WaitsConflict
	WaitsCore       = review.WaitsCore
	WaitsDiffer     = review.WaitsDiffer
	WaitsItem       = review.WaitsItem
	WaitsRepeat     = review.WaitsRepeat
	WaitsUnused     = review.WaitsUnused
)

var (
	ErrFewPairs     = similarity.ErrFewPairs
	ErrInConflict   = review.ErrInConflict
	ErrNoContinuity = continuity.ErrNoContinuity
	ErrRepeats      = similarity.ErrRepeats
	ErrShallow      = save.ErrShallow
	ErrUnsure       = save.ErrUnsure
)

// Aside is what stands in brackets, behind a blank, beside a checkpoint of which there is
// no room to say who wrote it; "" if it was made here.
func Aside(r gitstore.Record) string { return provenance.Aside(r) }

// AsideOf is Aside of a checkpoint that was loaded.
func AsideOf(c *sage.Checkpoint) string { return provenance.AsideOf(c) }

// Author is who a value of [Memory.Foreign] names, and what they did to what was written
// here, which is shown as it was before: changed, removed or nothing.
func Author(foreign string) (author, did string) { return provenance.Author(foreign) }

// ByShort names who wrote a checkpoint where there is little room.
func ByShort(r gitstore.Record) string { return provenance.ByShort(r) }

// Byline is what stands in brackets, with a blank behind, before what a checkpoint says
// that came from elsewhere; "" if it was made here.
func Byline(r gitstore.Record) string { return provenance.Byline(r) }

// BylineOf is Byline of a checkpoint that was loaded.
func BylineOf(c *sage.Checkpoint) string { return provenance.BylineOf(c) }

// Declined reports whether err says that a checkpoint which nobody asked for is not worth
// saving, which is no failure.
func Declined(err error) bool { return save.Declined(err) }

// Floor is the least confidence, from 0 to 1, with which a checkpoint that nobody asked
// for is saved. Whoever suggests a save names it, or suggests one that is refused.
func Floor(t sage.Trigger) float64 { return save.Floor(t) }

// IsDuplicate reports whether a checkpoint says nothing that an older one does not, and
// else what it brings. similarity is the cosine of their theses.
func IsDuplicate(older, newer *sage.Checkpoint, cosine, threshold float64) (bool, string) {
	return similarity.IsDuplicate(older, newer, cosine, threshold)
}

// IsProjectPath tells a path that stands for a project from its name: it begins with ./ or
// ../, or is absolute.
func IsProjectPath(path string) bool { return project.IsProjectPath(path) }

// ItemByline is Byline of an item of a list, of which [Memory.Foreign] says who wrote what
// came from elsewhere.
func ItemByline(k Known, foreign map[string]string) string { return provenance.ItemByline(k, foreign) }

// Notice tells a person in a line what an agent was given; "" if nothing.
func Notice(items []Recalled, conclusions ...Conclusion) string {
	return prompts.Notice(items, conclusions...)
}

// Provenance stands before a brief: what has to be known of where it came from.
func Provenance(c *sage.Checkpoint) string { return provenance.Provenance(c) }

// Unconfirmed is the mark of what came from elsewhere; author may be "", or be one of
// [Memory.Foreign].
func Unconfirmed(author string) string { return provenance.Unconfirmed(author) }

// UnconfirmedShort is Unconfirmed where there is little room.
func UnconfirmedShort(author string) string { return provenance.UnconfirmedShort(author) }

// Uttered is an utterance for people, who spoke and when and what, without a line end at
// its end. What tools are given and answer is one line; of all else at most so many
// characters are shown, 0 is all.
func Uttered(u gitstore.Utterance, most int) string { return session.Uttered(u, most) }
