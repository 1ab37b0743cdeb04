package wire

import (
	"context"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

// Match is an item or a checkpoint in the answer of match --json.
type Match struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"` // checkpoint of one
	Title     string   `json:"title"`
	Own       bool     `json:"own,omitempty"`
	Tokens    int      `json:"tokens"`
	Recalled  bool     `json:"recalled"`
	Weak      bool     `json:"weak,omitempty"` // below its threshold, as the rest: what comes nearest
	Why       string   `json:"why"`            // it was, or was not
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"`
	Meaning   float64  `json:"meaning"`
	Cosine    float64  `json:"cosine"`
	Keyword   float64  `json:"keyword"`
	Exact     []string `json:"exact,omitempty"`
	Outdated  string   `json:"outdated,omitempty"`
	Stale     string   `json:"stale,omitempty"` // that its code changed or is gone
	Always    bool     `json:"always,omitempty"`
	Text      string   `json:"text,omitempty"` // if it is wanted

	Unconfirmed bool      `json:"unconfirmed,omitempty"` // it came from elsewhere, and nobody here stands for it
	Author      string    `json:"author,omitempty"`      // of what is unconfirmed, as its commit has it
	Remote      string    `json:"remote,omitempty"`      // by which that came, if it is known
	FirstSeen   time.Time `json:"first_seen,omitzero"`   // when
	Time        time.Time `json:"ts,omitzero"`           // when it was thought, or changed
}

// From notes who wrote what came from elsewhere, and how its commit came here.
func (j *Match) From(ctx context.Context, m *recall.Memory, foreign, commit string) {
	author, _ := provenance.Author(foreign)
	j.Author = provenance.Name(author, 60)
	arrived, err := m.Store.Ownership.Arrivals()
	m.Stores.Complain(err)
	j.Remote, j.FirstSeen = arrived[commit].Remote, arrived[commit].At
}

// MatchedItem is an item that answers, with its text if that is wanted; foreign says who wrote
// what came from elsewhere, by key.
func MatchedItem(ctx context.Context, m *recall.Memory, r search.Recalled, foreign map[string]string, text bool) Match {
	j := matchOf(&r.Scored)
	author, unconfirmed := foreign[r.Key]
	if j.Time, j.Unconfirmed = r.Item.Updated, unconfirmed; unconfirmed && !provenance.IsDistilled(r.Known) {
		by, err := m.Store.Knowledge.AuthorOf(ctx, r.ItemEntry)
		m.Stores.Complain(err)
		j.From(ctx, m, author, by.Commit)
	}
	j.ID, j.Type, j.Title, j.Own, j.Tokens = r.Item.ID, string(r.Item.Type), r.Item.Title(), r.Own, r.Item.Tokens()
	j.Exact, j.Always = r.Triggers.Exact, r.Meta.Always
	if text {
		j.Text = r.Item.Text()
	}
	return j
}

// matchOf is what a score tells.
func matchOf(s *rank.Scored) Match {
	return Match{
		Recalled: s.Chosen, Weak: s.Weak, Why: s.Why, Score: s.Score, Threshold: s.Threshold,
		Meaning: s.Meaning, Cosine: s.Cosine, Keyword: s.Words, Outdated: s.Outdated, Stale: s.Outlived,
	}
}

// MatchedConclusion is what a checkpoint says of it.
func MatchedConclusion(ctx context.Context, m *recall.Memory, c prompts.Conclusion, text bool) Match {
	says := strings.Join(c.Says, "\n")
	j := matchOf(&c.Scored)
	j.ID, j.Type, j.Title, j.Tokens = c.ID, "checkpoint", c.Thesis, legible.EstimateTokens(says)
	if j.Time, j.Unconfirmed = c.Checkpoint.Time, c.Elsewhere || c.Unconfirmed; c.Elsewhere {
		j.From(ctx, m, c.Author, c.ID)
	}
	if c.Withheld {
		j.Title = provenance.Suspect
	}
	if c.Later != "" {
		j.Outdated = "a later thesis: " + c.Later
	}
	if text {
		j.Text = says
	}
	return j
}
