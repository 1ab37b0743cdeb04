package wire

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/prompts"
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

	Unconfirmed bool `json:"unconfirmed,omitempty"` // it came from elsewhere, and nobody here stands for it
}

// MatchedItem is an item that answers, with its text if that is wanted; unconfirmed says
// that it came from elsewhere, and nobody here stands for it.
func MatchedItem(r search.Recalled, unconfirmed, text bool) Match {
	j := matchOf(&r.Scored)
	j.ID, j.Type, j.Title, j.Own, j.Tokens = r.Item.ID, string(r.Item.Type), r.Item.Title(), r.Own, r.Item.Tokens()
	j.Exact, j.Always, j.Unconfirmed = r.Triggers.Exact, r.Meta.Always, unconfirmed
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
func MatchedConclusion(c prompts.Conclusion, text bool) Match {
	says := strings.Join(c.Says, "\n")
	j := matchOf(&c.Scored)
	j.ID, j.Type, j.Title, j.Tokens = c.ID, "checkpoint", c.Thesis, legible.EstimateTokens(says)
	j.Unconfirmed = c.Elsewhere || c.Unconfirmed
	if c.Later != "" {
		j.Outdated = "a later thesis: " + c.Later
	}
	if text {
		j.Text = says
	}
	return j
}
