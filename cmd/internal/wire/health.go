package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
)

// Finding is what --json prints of something that fsck found: a [gitstore.Finding].
type Finding struct {
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
	Detail  string `json:"detail"`
	Cure    string `json:"cure,omitempty"`
	ID      string `json:"id,omitempty"`
	Warning bool   `json:"warning"`
}

// FindingOf is something that fsck found.
func FindingOf(f gitstore.Finding) Finding {
	return Finding{f.Kind, f.Subject, f.Detail, hint.Cure(f.Cure), f.ID, f.Warning}
}

// Diagnosis is what --json prints of one thing that doctor looked at.
type Diagnosis struct {
	Check  string `json:"check"`
	State  string `json:"state"`
	Detail string `json:"detail"`
	Cure   string `json:"cure,omitempty"`
}

// DiagnosisOf is one thing that doctor looked at.
func DiagnosisOf(d gitstore.Diagnosis) Diagnosis {
	return Diagnosis{d.Name, string(d.State), hint.Note(remedy.Note{Text: d.Detail, Remedies: d.More}), hint.Cure(d.Cure)}
}

// Review is how much nobody confirmed yet: a [review.WaitingCount].
type Review struct {
	Checkpoints int `json:"checkpoints"`
	Items       int `json:"items"`
}

// Distill is what status --json says of distilling.
type Distill struct {
	By      string     `json:"by"`
	Used    int        `json:"tokens_today"`
	Left    int        `json:"tokens_left_today"`
	Limit   int        `json:"tokens_per_day"`
	Waiting int        `json:"waiting"`
	Next    *time.Time `json:"next,omitempty"` // when what waits is tried again
	Failed  *time.Time `json:"failed,omitempty"`
	Why     string     `json:"why,omitempty"`
	Cure    string     `json:"cure,omitempty"`
}

// Search is what status --json says of search.
type Search struct {
	Documents int        `json:"documents"`
	Missing   int        `json:"missing"` // pieces that cannot be found by meaning yet
	Behind    bool       `json:"behind"`
	Healed    *time.Time `json:"healed"` // null is never
	Files     int        `json:"healed_files"`
	Why       string     `json:"healed_why,omitempty"`
}

// SearchOf is how search is.
func SearchOf(h recall.Health) Search {
	j := Search{Documents: h.Documents, Missing: h.Missing, Behind: h.Behind, Files: h.Files, Why: h.Why}
	if !h.Healed.IsZero() {
		j.Healed = &h.Healed
	}
	return j
}

// Claude says whether Claude Code's sessions here have the memory.
type Claude struct {
	Connected bool     `json:"connected"`
	Installed []string `json:"installed"`         // "hooks (project)", "server (user)", "plugin sage@git-sage"
	Problem   string   `json:"problem,omitempty"` // the first thing that is wrong
	Cure      string   `json:"cure,omitempty"`
}

// Health is what status -v --json prints besides.
type Health struct {
	Version string               `json:"version"`
	Checks  []Diagnosis          `json:"checks"`
	Called  map[string]time.Time `json:"hooks_called"` // when a session last called which
}
