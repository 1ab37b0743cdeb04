package recall

import (
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall/internal/continuity"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/opening"
	"github.com/git-sage/git-sage/recall/internal/project"
	"github.com/git-sage/git-sage/recall/internal/session"
	"github.com/git-sage/git-sage/recall/internal/skills"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/internal/templates"
	"github.com/git-sage/git-sage/recall/internal/write"
)

// What the rooms below make, under the names by which callers know it.
type (
	BriefOptions  = templates.BriefOptions
	Continuity    = continuity.Continuity
	Health        = stores.Health
	ItemChange    = write.ItemChange
	ItemQuery     = knowledge.ItemQuery
	Known         = knowledge.Known
	Opening       = opening.Opening
	Options       = stores.Options
	Refresh       = stores.Refresh
	Settings      = stores.Settings
	Skill         = skills.Skill
	SkillFile     = skills.SkillFile
	TemplatePlace = templates.TemplatePlace
	Tidied        = stores.Tidied
	Written       = write.Written
)

const (
	MaxSessionChars = session.MaxSessionChars
	StartTokens     = opening.StartTokens
)

var (
	ErrNoContinuity = continuity.ErrNoContinuity
)

// IsProjectPath tells a path that stands for a project from its name: it begins with ./ or
// ../, or is absolute.
func IsProjectPath(path string) bool { return project.IsProjectPath(path) }

// Uttered is an utterance for people, who spoke and when and what, without a line end at
// its end. What tools are given and answer is one line; of all else at most so many
// characters are shown, 0 is all.
func Uttered(u gitstore.Utterance, most int) string { return session.Uttered(u, most) }
