package review

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Dropping is the change by which an item that waits goes, as it was listed: what somebody
// elsewhere made of it is undone, and an item that they removed goes.
func (w Waiting) Dropping() gitstore.ItemChange {
	if w.Kind == WaitsItem && w.Item.Changed != nil && !w.Item.IsRemoved() {
		left := w.Item.Changed.Left
		return gitstore.ItemChange{Key: w.Item.Key, Seen: w.Item.Blob, Item: left.Clone(), Replace: true, Whole: true}
	}
	return gitstore.ItemChange{Key: w.Item.Key, Seen: w.Item.Blob, Remove: true}
}

// IsForeign reports whether something is an item or a checkpoint that somebody elsewhere
// wrote, and may be refused.
func (w Waiting) IsForeign() bool {
	return w.Kind == WaitsItem && w.Item.Changed == nil || w.Kind == WaitsCheckpoint && !w.Record.Own
}

// ErrUnsigned says that nobody proved to have written something.
var ErrUnsigned = errors.New("did not sign it, and anybody can use that name")

// Signer is the key with which something that waits was signed, to be trusted. Without one the
// error is [ErrUnsigned].
func (rv *Reviewer) Signer(ctx context.Context, w Waiting) (s gitstore.TrustedSource, err error) {
	commit, author := w.Record.ID, w.Record.Author
	if w.Kind == WaitsItem {
		by, err := rv.stores.Store.Knowledge.AuthorOf(ctx, w.Item.ItemEntry)
		if err != nil {
			return s, err
		}
		commit, author = by.Commit, by.Author
	}
	signed, err := rv.stores.Store.Review.Signatures(ctx, commit)
	if err != nil {
		return s, err
	}
	s = gitstore.TrustedSource{Kind: gitstore.TrustKey, Name: signed[commit].Key}
	if !signed[commit].IsBy(s) {
		err = fmt.Errorf("%s %w", legible.OneLine(author), ErrUnsigned)
	}
	return s, err
}
