package wire

import (
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
)

// Written is what --json prints of an item that was changed.
type Written struct {
	Act       string     `json:"act"` // added, changed, removed, archived, ...
	ID        string     `json:"id"`
	Type      string     `json:"type,omitempty"`
	Status    string     `json:"status,omitempty"`
	Title     string     `json:"title,omitempty"`
	Tokens    int        `json:"tokens,omitempty"`
	Own       bool       `json:"own"`
	Commit    string     `json:"commit"`
	Blob      string     `json:"blob,omitempty"`
	Conflict  bool       `json:"conflict,omitempty"` // it has fields to settle
	FollowsOf bool       `json:"follows,omitempty"`  // of the change of another
	Warnings  []string   `json:"warnings"`
	Redacted  []redacted `json:"redacted,omitempty"`

	Near        []near `json:"near,omitempty"`        // items that say nearly the same
	Contradicts []near `json:"contradicts,omitempty"` // items that may not be right beside it
}

type near struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Differs string `json:"differs,omitempty"` // numbers, dates, negation, opposite, strength, names, order

	Unconfirmed bool `json:"unconfirmed,omitempty"` // it came from elsewhere, and nobody here stands for it
}

// WrittenOf is one of the items that a change wrote; asked are the keys of those that were
// meant to change, others follow.
func WrittenOf(act string, asked []string, w recall.Written, e gitstore.ItemEntry) Written {
	j := Written{
		Act: act, ID: e.Item.ID, Type: string(e.Item.Type), Status: string(e.Item.Status), Title: Title(e.Item),
		Tokens: e.Item.Tokens(), Own: w.Own, Commit: w.Commit, Blob: e.Blob, Warnings: NotNil(hint.Notes(w.Warnings)),
		Conflict: slices.Contains(w.Conflicts, e.Key), FollowsOf: !slices.Contains(asked, e.Key),
	}
	for _, f := range w.Redacted {
		j.Redacted = append(j.Redacted, redacted{f.Rule, f.Count})
	}
	for _, n := range w.Near {
		near := near{n.Item.ID, Title(n.Item), n.Differs, n.From != ""}
		switch {
		case n.To != e.Item.ID:
		case n.Differs == "":
			j.Near = append(j.Near, near)
		default:
			j.Contradicts = append(j.Contradicts, near)
		}
	}
	return j
}
