package review

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/write"
)

// What may become of something that waits, as a person decides.
const (
	Keep      = "keep"
	Edit      = "edit" // which its caller does
	Drop      = "drop"
	Supersede = "supersede"
	Refuse    = "refuse"
	Trust     = "trust"
)

// Acts are what may become of something that waits.
func (w Waiting) Acts() []string {
	acts := []string{Keep, Edit, Drop, Supersede}
	switch w.Kind {
	case WaitsCheckpoint:
		acts = []string{Keep, Edit, Drop}
	case WaitsCore:
		return []string{Keep, Drop}
	case WaitsOpposes:
		return []string{Keep}
	case WaitsConflict:
		return []string{Edit, Drop}
	}
	if w.Kind == WaitsItem && w.Item.Changed == nil || w.Kind == WaitsCheckpoint && !w.Record.Own {
		acts = append(acts, Refuse, Trust) // somebody elsewhere wrote it
	}
	return acts
}

// IsPair reports whether something is two items, the newer of which may supersede the older.
func (w Waiting) IsPair() bool { return w.Kind == WaitsRepeat || w.Kind == WaitsDiffer }

// Judged is what an act made of something that waited.
type Judged struct {
	Removed []gitstore.Record // checkpoints
	Written []write.Written   // what became of items
	Refused *sage.Checkpoint
	Trusted gitstore.TrustedSource
}

// Judge does one of its acts to something that waits, as it was listed. by is the item that
// supersedes it, where it is no pair. [gitstore.ErrChanged] says that it is not what was listed
// any more.
func (rv *Reviewer) Judge(ctx context.Context, w Waiting, act, by string) (done Judged, err error) {
	if !slices.Contains(w.Acts(), act) {
		return done, fmt.Errorf("act '%s': want one of %q", legible.OneLine(act), w.Acts())
	}
	if err := rv.StillWaiting(ctx, w); err != nil {
		return done, err
	}
	switch act {
	case Keep:
		err = rv.keep(ctx, w)
	case Drop:
		done, err = rv.drop(ctx, w)
	case Supersede:
		old := w.Item
		if w.IsPair() {
			old, by = w.Other, w.Item.Key
		}
		done.Written, err = rv.write.Items(ctx, "", write.ItemChange{Targets: []string{by}, ItemChange: gitstore.ItemChange{
			Key: old.Key, Seen: old.Blob, Edit: func(it *sage.Item) error { merge.Deprecate(it, by, "superseded"); return nil },
		}})
	case Refuse:
		if w.Kind == WaitsItem {
			done.Written, err = rv.Refuse(ctx, []knowledge.Known{w.Item})
		} else if done.Refused, err = rv.stores.Store.Commits.Load(ctx, w.Record.ID); err == nil {
			_, err = rv.Refuse(ctx, nil, done.Refused)
		}
	case Trust:
		if done.Trusted, err = rv.signer(ctx, w); err == nil {
			err = rv.stores.Store.Review.Trust(ctx, done.Trusted)
		}
	}
	return done, err
}

// keep notes that something stays as it is: its user stands for what nobody stood for, and is
// not asked again about the rest until it says something else.
func (rv *Reviewer) keep(ctx context.Context, w Waiting) error {
	switch w.Kind {
	case WaitsCheckpoint:
		_, _, err := rv.write.ConfirmCheckpoint(ctx, w.Record.ID)
		return err
	case WaitsItem:
		if w.Item.IsRemoved() { // it is written anew
			_, err := rv.write.Items(ctx, "", asLeft(w.Item))
			return err
		}
		return rv.write.ConfirmShown(ctx, w.Item.ItemEntry)
	case WaitsCore:
		return rv.stores.Store.Review.ConfirmCore(ctx, w.Core)
	}
	return rv.stores.Store.Review.NoteReviewed(w.sum)
}

// drop removes something; what somebody elsewhere made of an item is undone, and an item that
// they removed goes.
func (rv *Reviewer) drop(ctx context.Context, w Waiting) (done Judged, err error) {
	switch w.Kind {
	case WaitsCheckpoint:
		done.Removed, err = rv.stores.Store.Checkpoints.Remove(ctx, []string{w.Record.ID})
		return done, err
	case WaitsCore:
		return done, rv.stores.Store.Knowledge.UnmarkCore(ctx, w.Core.Path)
	}
	change := write.ItemChange{ItemChange: gitstore.ItemChange{Key: w.Item.Key, Seen: w.Item.Blob, Remove: true}}
	if w.Kind == WaitsItem && w.Item.Changed != nil && !w.Item.IsRemoved() {
		change = asLeft(w.Item)
	}
	done.Written, err = rv.write.Items(ctx, "", change)
	return done, err
}

// Refuse has the user refuse what items and checkpoints say. An item of theirs that somebody
// elsewhere changed or removed is as they left it again, for all who have it: back tells of that.
func (rv *Reviewer) Refuse(ctx context.Context, items []knowledge.Known, checkpoints ...*sage.Checkpoint) (back []write.Written, err error) {
	if err := rv.provenance.Refuse(ctx, true, items, checkpoints...); err != nil {
		return nil, err
	}
	var changes []write.ItemChange
	for _, k := range items {
		if k.Changed != nil {
			changes = append(changes, asLeft(k))
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	return rv.write.Items(ctx, "", changes...)
}

// asLeft makes of an item that somebody elsewhere changed or removed what its user left.
func asLeft(k knowledge.Known) write.ItemChange {
	change := gitstore.ItemChange{Key: k.Key, Seen: k.Blob, Item: k.Changed.Left.Clone(), Replace: true, Whole: true}
	if k.IsRemoved() { // it is written anew
		change = gitstore.ItemChange{Key: k.Key, Seen: k.Blob, Edit: func(*sage.Item) error { return nil }}
	}
	return write.ItemChange{ItemChange: change}
}

// ErrUnsigned says that nobody proved to have written something.
var ErrUnsigned = errors.New("did not sign it, and anybody can use that name")

// signer is the key with which something that waits was signed.
func (rv *Reviewer) signer(ctx context.Context, w Waiting) (s gitstore.TrustedSource, err error) {
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
		err = remedy.For(fmt.Errorf("%s %w", legible.OneLine(author), ErrUnsigned), remedy.TrustRemote.On())
	}
	return s, err
}
