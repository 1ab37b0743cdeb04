package wire

import (
	"github.com/git-sage/git-sage/gitstore"

	"github.com/git-sage/git-sage/internal/hint"
)

// Merged is Saved and what only merges know.
type Merged struct {
	Saved
	UpToDate    bool     `json:"up_to_date"`
	FastForward bool     `json:"fast_forward"`
	Unsettled   bool     `json:"unsettled"`
	Folded      []string `json:"folded,omitempty"`
}

// MergedOf is what a merge did.
func MergedOf(r gitstore.Merged) Merged {
	return Merged{SavedOf(r.Saved), r.UpToDate, r.FastForward, r.Unsettled, r.Folded}
}

// Fetched is what --json prints of a ref that was brought forward to what was fetched.
type Fetched struct {
	Ref       string   `json:"ref"`
	Act       string   `json:"act"`
	Old       string   `json:"old,omitempty"`
	New       string   `json:"new,omitempty"`
	Remotes   []string `json:"remotes,omitempty"`
	Detail    string   `json:"detail,omitempty"`
	Unsettled bool     `json:"unsettled,omitempty"`
}

// FetchedOf is what became of a ref.
func FetchedOf(f gitstore.Fetched) Fetched {
	return Fetched{f.Ref, string(f.Act), f.Old, f.New, f.Remotes, hint.Note(f.Detail), f.Unsettled}
}
