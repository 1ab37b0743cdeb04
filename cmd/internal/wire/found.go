package wire

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

// Found is what --json prints of a hit in the memory, one object a line. Fields are only ever
// added.
type Found struct {
	Kind       string    `json:"kind"` // checkpoint, knowledge
	ID         string    `json:"id"`
	Score      float64   `json:"score"`       // 0..1
	Title      string    `json:"title"`       // thesis or title
	Time       time.Time `json:"ts,omitzero"` // when it was thought, or changed
	Skills     []string  `json:"skills,omitempty"`
	Question   string    `json:"core_question,omitempty"`
	Line       string    `json:"line,omitempty"` // that a checkpoint is on
	Current    bool      `json:"current,omitempty"`
	Confidence *float64  `json:"confidence,omitempty"`
	Trigger    string    `json:"trigger,omitempty"`
	Author     string    `json:"author,omitempty"`
	Type       string    `json:"type,omitempty"` // of an item
	Status     string    `json:"status,omitempty"`
	Own        bool      `json:"own,omitempty"`
	Outdated   string    `json:"outdated,omitempty"`
	Meaning    float64   `json:"meaning"` // what the score is made of
	Cosine     float64   `json:"cosine"`
	Keyword    float64   `json:"keyword"`
	Exact      []string  `json:"exact,omitempty"`
	Weak       bool      `json:"weak,omitempty"` // nothing is a good match: what comes nearest

	Unconfirmed bool `json:"unconfirmed,omitempty"` // it came from elsewhere, whoever it names, and nobody here stands for it
}

// FoundCheckpoint is a hit among checkpoints, of which an agent is told no more than it may be.
func FoundCheckpoint(ctx context.Context, m *recall.Memory, c search.Found) Found {
	j := foundParts("checkpoint", c.ID, c.Scored)
	j.Title, j.Time, j.Skills, j.Question = c.Thesis, c.Time, oneOrNone(c.Skill), c.CoreQuestion
	j.Line, j.Current, j.Confidence, j.Trigger, j.Author = c.Line, c.Here, c.Confidence, string(c.Trigger), c.Author
	j.Unconfirmed, j.Outdated = c.Elsewhere || c.Unconfirmed, later(c.Scored)
	if said := m.Provenance.AdmitCheckpoint(ctx, c.Checkpoint); said != "" {
		j.Question, j.Author = "", provenance.Name(c.Author, 60)
		if provenance.IsWithheld(said) {
			j.Title = provenance.Suspect
		}
	}
	return j
}

// FoundItem is a hit among items; unconfirmed says that it came from elsewhere, and nobody
// here stands for it.
func FoundItem(r search.Recalled, unconfirmed bool) Found {
	j := foundParts("knowledge", r.Item.ID, r.Scored)
	j.Title, j.Time, j.Skills = Title(r.Item), r.Item.Updated, r.Item.Scope.Skills
	j.Type, j.Status, j.Own, j.Outdated = string(r.Item.Type), string(r.Item.Status), r.Own, r.Outdated
	j.Unconfirmed = unconfirmed
	return j
}

func foundParts(kind, id string, s rank.Scored) Found {
	return Found{Kind: kind, ID: id, Score: s.Score, Meaning: s.Meaning, Cosine: s.Cosine, Keyword: s.Words, Exact: s.Triggers.Exact, Weak: s.Weak}
}

func oneOrNone(s string) []string {
	if s == "" {
		return nil
	}
	return []string{legible.OneLine(s)}
}

// FoundCode is what --json prints of code beside other hits: its id is where it is.
type FoundCode struct {
	Kind     string  `json:"kind"` // code
	ID       string  `json:"id"`
	Score    float64 `json:"score"` // 0..1
	Title    string  `json:"title"` // signature or name
	Type     string  `json:"type"`  // what it defines: function, class, ...
	Path     string  `json:"path"`
	Lines    [2]int  `json:"lines"` // the first and the last
	Name     string  `json:"name,omitempty"`
	Language string  `json:"language,omitempty"`
}

// FoundCodeOf is a piece of code that a search found.
func FoundCodeOf(h codeindex.Hit) FoundCode {
	return FoundCode{"code", fmt.Sprintf("%s:%d-%d", h.Path, h.First, h.Last), h.Score, cmp.Or(h.Signature, h.Name),
		h.Kind, h.Path, [2]int{h.First, h.Last}, h.FullName(), h.Language}
}
