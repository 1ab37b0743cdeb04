package wire

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
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

// A Matcher makes the objects of one answer, for which it reads once who wrote what came from
// elsewhere, and how that came here.
type Matcher struct {
	m       *recall.Memory
	foreign map[string]string // see provenance.Labeller.Foreign
	arrived func() map[string]gitstore.Arrival
}

// NewMatcher returns a Matcher for some items, and any conclusions.
func NewMatcher(ctx context.Context, m *recall.Memory, items ...search.Recalled) Matcher {
	return Matcher{m, m.Provenance.Foreign(ctx, lists.Map(items, func(r search.Recalled) recall.Known { return r.Known })),
		sync.OnceValue(func() map[string]gitstore.Arrival {
			arrived, err := m.Store.Ownership.Arrivals()
			m.Stores.Complain(err)
			return arrived
		})}
}

// from notes who wrote what came from elsewhere, and how its commit came here.
func (mr Matcher) from(j *Match, foreign, commit string) {
	author, _ := provenance.Author(foreign)
	came := mr.arrived()[commit]
	j.Author, j.Remote, j.FirstSeen = provenance.Name(author, 60), came.Remote, came.At
}

// Item is an item that answers, with its text if that is wanted.
func (mr Matcher) Item(ctx context.Context, r search.Recalled, text bool) Match {
	j := matchOf(&r.Scored)
	author, unconfirmed := mr.foreign[r.Key]
	if j.Time, j.Unconfirmed = r.Item.Updated, unconfirmed; unconfirmed && !provenance.IsDistilled(r.Known) {
		by, err := mr.m.Store.Knowledge.AuthorOf(ctx, r.ItemEntry)
		mr.m.Stores.Complain(err)
		mr.from(&j, author, by.Commit)
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

// later says that a checkpoint no longer is what its line, or a synthesis, says.
func later(s rank.Scored) string {
	if s.Later == "" {
		return ""
	}
	return "a later thesis: " + s.Later
}

// Conclusion is what a checkpoint says of it.
func (mr Matcher) Conclusion(c prompts.Conclusion, text bool) Match {
	says := strings.Join(c.Says, "\n")
	j := matchOf(&c.Scored)
	j.ID, j.Type, j.Title, j.Tokens = c.ID, "checkpoint", c.Thesis, legible.EstimateTokens(says)
	if j.Time, j.Unconfirmed = c.Checkpoint.Time, c.Elsewhere || c.Unconfirmed; c.Elsewhere {
		mr.from(&j, c.Author, c.ID)
	}
	if c.Withheld {
		j.Title = provenance.Suspect
	}
	j.Outdated = cmp.Or(later(c.Scored), j.Outdated)
	if text {
		j.Text = says
	}
	return j
}
