package knowledge

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
)

// AdoptVersions takes the items that are this user's own by their texts as they are, once,
// before anything is written or taken in. It is one write, and does no harm twice. The tip
// is asked for before it is looked whether that was done: whoever takes something in adopted
// before that, which is seen then. Most often it was done long ago.
func (kn *reader) AdoptVersions(ctx context.Context) error {
	if kn.repo.Options.Global || kn.ownership.Word(true) == "" || kn.ownership.Versions() != nil {
		return nil
	}
	files, err := kn.EveryItemFile()
	if err != nil {
		return err
	}
	if kn.ownership.Versions() != nil {
		return nil
	}
	items, err := kn.readItems(ctx, files)
	if err != nil {
		return err
	}
	var list []ownership.Version
	for _, e := range items {
		if e.Err == nil && kn.ownership.Vouched(ownership.SumOf(e.Key, e.Item, false)) {
			list = append(list, ownership.Version{Blob: e.Blob, Key: ownership.AsItWas + e.Key})
		}
	}
	return kn.ownership.NoteVersions(append(list, ownership.Version{Blob: kn.repo.Objects.Zero(), Key: ownership.AllAdopted})...)
}

// A Change is what somebody elsewhere made of an item of this user's own, and nobody here
// confirmed.
type Change struct {
	Left *sage.Item // as its user left it
	Sent *sage.Item // as it is in git

	Removed bool // it is no longer in git
}

// Fields are what differs; nothing if it was removed.
func (c *Change) Fields() diff.ItemDifference {
	if c.Removed {
		return diff.ItemDifference{ID: c.Left.ID}
	}
	return diff.Items(c.Left, c.Sent)
}

// IsRemoved reports whether somebody elsewhere removed an item, which is shown as its user
// left it.
func (e ItemEntry) IsRemoved() bool { return e.Changed != nil && e.Changed.Removed }

// IsAsLeft reports whether an item is shown as its user left it, and not as it is in git.
func (e ItemEntry) IsAsLeft() bool { return e.Changed != nil && e.Item == e.Changed.Left }

// Sent is the item as it is in git.
func (e ItemEntry) Sent() *sage.Item {
	if e.Changed != nil {
		return e.Changed.Sent
	}
	return e.Item
}

// asLeft is an item as it counts: of one that somebody elsewhere changed without its text,
// or took out of sight, as its user left it. own says that it is as they left it.
func (kn *reader) asLeft(v *ownership.Versions, e ItemEntry) (out ItemEntry, own bool) {
	if v == nil || e.Err != nil || e.Changed != nil {
		return e, false
	}
	if kn.ownership.IsKnown(v, ownership.Version{Blob: e.Blob, Key: e.Key}) {
		return e, true
	}
	blob := v.There(e.Key)
	if blob == "" {
		return e, false
	}
	o, err := kn.repo.Object(blob)
	if err != nil || o.Type != "blob" {
		return e, false
	}
	left := ReadItem(e.Path, o)
	switch {
	case left.Err != nil:
		return e, false
	case ownership.IsSameVersion(left.Item, e.Item):
		e.Item = left.Item
		return e, true
	}
	e.Changed = &Change{Left: left.Item, Sent: e.Item}
	if !ownership.SaysOther(left.Item, e.Item) || ownership.Hides(left.Item, e.Item) {
		e.Item = left.Item
	}
	return e, false
}

// allAsLeft is asLeft of a list.
func (kn *reader) allAsLeft(list []ItemEntry) []ItemEntry {
	if v := kn.ownership.Versions(); v != nil {
		for i := range list {
			list[i], _ = kn.asLeft(v, list[i])
		}
	}
	return list
}

// ForgetVersions writes the list anew behind a purge: of what is here now, and of what
// somebody elsewhere removed, the last line of each key, at what the purge made of its
// version if that is this user's own.
func (kn *reader) ForgetVersions(ctx context.Context) error {
	files, err := kn.EveryItemFile()
	if err != nil {
		return err
	}
	there := map[string]bool{ownership.AllAdopted: true}
	for _, f := range files {
		there[ItemKey(f.Name)] = true
	}
	begun := kn.ownership.BegunIDs()
	became := func(v ownership.Version) string {
		now, gone := kn.rewritten.Purged(v.Blob)
		switch {
		case now == v.Blob && !gone:
			return v.Blob
		case gone || !begun.Has(ownership.Version{Blob: now, Key: v.Key}.Claim()):
			return ""
		}
		return now
	}
	return kn.ownership.RewriteVersions(func(l ownership.VersionLine) bool {
		key := strings.TrimPrefix(l.Key, ownership.AsItWas)
		return there[key] || kn.ownership.IsOfKey(became(ownership.Version{Blob: l.Blob, Key: key}), key)
	}, became)
}
