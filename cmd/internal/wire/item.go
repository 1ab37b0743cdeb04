package wire

import (
	"context"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/suspect"
)

// Item is what --json prints of an item. Fields are only ever added.
type Item struct {
	ID          string           `json:"id"`
	Type        string           `json:"type"` // knowledge, preference, todo, reference, failure; note, skill, doc
	Title       string           `json:"title"`
	Description string           `json:"description,omitempty"`
	Status      string           `json:"status"`            // active, pending, done, archived, deprecated, superseded
	Own         bool             `json:"own"`               // in the user's own store
	Private     bool             `json:"private,omitempty"` // it stays in this clone
	Keywords    []string         `json:"keywords"`
	Patterns    []string         `json:"patterns,omitempty"` // RE2
	When        []string         `json:"when,omitempty"`     // requests that want it
	Aliases     []string         `json:"aliases,omitempty"`  // ids that it had elsewhere
	Skills      []string         `json:"skills,omitempty"`   // only while one of these is active
	Always      bool             `json:"always,omitempty"`   // whatever the prompt says
	Paths       []string         `json:"paths,omitempty"`
	Source      string           `json:"source,omitempty"`
	Added       time.Time        `json:"added"`
	Updated     time.Time        `json:"updated"`
	Tokens      int              `json:"tokens"` // an estimate
	Reason      string           `json:"reason,omitempty"`
	Replacement string           `json:"replacement,omitempty"`
	Links       []itemLink       `json:"links,omitempty"` // its own; show knows those from elsewhere, too
	CodeRefs    []codeRef        `json:"code_refs,omitempty"`
	Approach    string           `json:"approach,omitempty"`
	WhyFailed   string           `json:"why_failed,omitempty"`
	Learned     string           `json:"learned,omitempty"`
	Content     string           `json:"content,omitempty"`   // Markdown; show alone prints it
	Conflicts   []merge.Conflict `json:"conflicts,omitempty"` // what merges left to settle
	Extra       map[string]any   `json:"extra,omitempty"`
	Author      string           `json:"author,omitempty"`      // who wrote it as it is; lists say it of what came from elsewhere
	Fetched     bool             `json:"fetched,omitempty"`     // the same as unconfirmed
	Unconfirmed bool             `json:"unconfirmed,omitempty"` // it came from elsewhere, whoever it names, and nobody here stands for it
	Changed     bool             `json:"changed,omitempty"`     // the author changed it elsewhere, and nobody here confirmed that: this is as it was before
	Removed     bool             `json:"removed,omitempty"`     // the same of one that they removed
	Suspect     []string         `json:"suspect,omitempty"`     // rules that it breaks, see docs/trust.md; agents are not shown it
	Refused     bool             `json:"refused,omitempty"`     // by this user
	Trace       *Trace           `json:"trace,omitempty"`       // how it came here; show alone prints it
	Path        string           `json:"path"`                  // in the tree of refs/sage/knowledge, or of refs/sage/private/knowledge
	Blob        string           `json:"blob"`                  // tells one version from another
	Error       string           `json:"error,omitempty"`
}

type itemLink struct {
	Kind    string `json:"kind"`
	ID      string `json:"id"`
	Title   string `json:"title,omitempty"`
	From    bool   `json:"from,omitempty"` // the other points here
	Missing bool   `json:"missing,omitempty"`
}

// ItemOf is an item without its content; foreign says who wrote what came from
// elsewhere, by key.
func ItemOf(ctx context.Context, m *recall.Memory, k recall.Known, foreign map[string]string) Item {
	it := k.Item
	j := Item{
		ID: it.ID, Type: string(it.Type), Title: Title(it), Description: it.Description, Status: string(it.Status), Own: k.Own, Private: it.IsPrivate(),
		Keywords: NotNil(it.Keywords), Patterns: it.Patterns, When: it.When, Aliases: it.Aliases,
		Skills: it.Scope.Skills, Always: it.Scope.Always, Paths: it.Scope.Paths,
		Source: it.Source, Added: it.Added, Updated: it.Updated, Tokens: it.Tokens(),
		Reason: it.Reason, Replacement: it.Replacement, CodeRefs: codeRefsOf(it.CodeRefs, m.Knowledge.RefStates(ctx, k)),
		Approach: it.Approach, WhyFailed: it.WhyFailed, Learned: it.Learned,
		Conflicts: merge.Conflicts(k.Sent()), Path: k.Path, Blob: k.Blob,
	}
	for _, l := range it.Links {
		j.Links = append(j.Links, itemLink{Kind: string(l.Kind), ID: l.To})
	}
	for _, e := range it.Extra {
		if j.Extra == nil {
			j.Extra = map[string]any{}
		}
		j.Extra[e.Key] = plainValue(e.Value)
	}
	if author, ok := foreign[k.Key]; ok && !k.Own {
		var did string
		j.Author, did = provenance.Author(author)
		j.Changed, j.Removed = did == "changed", did == "removed"
		j.Unconfirmed, j.Fetched = true, true
		j.Suspect = suspect.Rules(m.Provenance.Suspect(k, author))
	}
	if j.Refused = k.IsRefused(); k.Err != nil {
		j.Error = hint.Error(k.Err)
	}
	return j
}

// SetLinks puts links from both ends in the place of the item's own.
func (j *Item) SetLinks(links []gitstore.ItemLink) {
	j.Links = nil
	for _, l := range links {
		to := itemLink{Kind: string(l.Kind), ID: l.ID, From: l.From, Missing: l.Missing}
		if l.Item != nil {
			to.Title = Title(l.Item)
		}
		j.Links = append(j.Links, to)
	}
}

// ListTitle is the title of an item in a list, and of a failure what it taught.
func ListTitle(k recall.Known) string {
	switch {
	case k.Err != nil:
		return hint.Error(k.Err)
	case k.Item.Learned != "":
		return term.Clip(term.Visible(Title(k.Item)+"; learned: "+legible.OneLine(k.Item.Learned)), 200)
	}
	return Title(k.Item)
}

// Title is the title of an item for a line of a list: a text may be one long line.
func Title(it *sage.Item) string { return term.Clip(term.Visible(it.Title()), 200) }
