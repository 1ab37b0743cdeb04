package knowledge

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Who removes an item elsewhere hides it as whoever archives it does, and it waits as well:
// until somebody here confirms that, it counts as its user left it. Of such a one the
// knowledge tree has no file, and sage/versions a version. Where there is no knowledge at all
// nobody removed anything from it; and what a purge took out of history never comes back.

// Removals are the items that this user left and that files do not hold any more, by path,
// of the keys that are wanted; files are all in which those may lie.
func (kn *reader) Removals(v *ownership.Versions, files []gittree.Entry, wanted func(key string) bool) (list []gittree.Entry) {
	if v == nil || kn.isEmpty() {
		return nil
	}
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[ItemKey(f.Name)] = true
	}
	v.Each(func(l ownership.Version) {
		if !there[l.Key] && wanted(l.Key) && kn.awaits(v, l) {
			list = append(list, gittree.Entry{Mode: gittree.ModeFile, Name: ItemPath(l.Key), ID: l.Blob})
		}
	})
	slices.SortFunc(list, func(a, b gittree.Entry) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// removalsSince are the removals among the keys that are gone since an old state of the
// knowledge; files are what changed since.
func (kn *reader) removalsSince(old string, files []gittree.Entry, keys []string) (_ []gittree.Entry, err error) {
	v, wanted := kn.ownership.Versions(), isOfKnowledge
	if old != "" {
		gone := map[string]bool{}
		for _, key := range keys {
			if v.There(key) != "" {
				gone[key] = true
			}
		}
		if len(gone) == 0 {
			return nil, nil
		}
		if files, err = kn.allItems(); err != nil { // it may lie where it did not change
			return nil, err
		}
		wanted = func(key string) bool { return gone[key] }
	}
	return kn.Removals(v, files, wanted), nil
}

// isEmpty reports whether there is no knowledge.
func (kn *reader) isEmpty() bool { return kn.history.Knowledge() == kn.repo.Objects.Zero() }

// awaits reports whether a version that this user left, and that is not there, waits for
// them: neither they nor a purge removed it.
func (kn *reader) awaits(v *ownership.Versions, l ownership.Version) bool {
	removal := ownership.Version{Blob: kn.repo.Objects.Zero(), Key: l.Key}
	if l == removal || CheckKey(l.Key) != nil || kn.ownership.BegunIDs().Has(removal.Claim()) && !v.Lists(removal) {
		return false
	}
	now, gone := kn.rewritten.Purged(l.Blob)
	return !gone && now == l.Blob
}

// removedItems are the items that lie in files, as their user left them before somebody else
// removed them. What cannot be read is none.
func (kn *reader) removedItems(ctx context.Context, files []gittree.Entry) ([]ItemEntry, error) {
	list, err := kn.readItems(ctx, files)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(e ItemEntry) bool { return e.Err != nil })
	for i := range list {
		list[i].Changed = &Change{Left: list[i].Item, Sent: &sage.Item{ID: list[i].Item.ID, Type: list[i].Item.Type}, Removed: true}
	}
	return list, nil
}

// addRemoved adds to items that were read from files those of the same shelf that somebody
// elsewhere removed, by path.
func (kn *reader) addRemoved(ctx context.Context, list []ItemEntry, files []gittree.Entry, wanted func(key string) bool) ([]ItemEntry, error) {
	gone, err := kn.removedItems(ctx, kn.Removals(kn.ownership.Versions(), files, wanted))
	if len(gone) > 0 {
		list = append(list, gone...)
		slices.SortStableFunc(list, func(a, b ItemEntry) int { return strings.Compare(a.Path, b.Path) })
	}
	return list, err
}

// removedItem is the item of a key that somebody elsewhere removed.
func (kn *reader) removedItem(ctx context.Context, key string) (ItemEntry, bool) {
	v := kn.ownership.Versions()
	l := ownership.Version{Blob: v.There(key), Key: key}
	if l.Blob == "" || kn.isEmpty() || !kn.awaits(v, l) {
		return ItemEntry{}, false
	}
	if isOfKnowledge(key) {
		if file, err := kn.misplaced(kn.history.State(), key); err != nil || file.ID != "" {
			return ItemEntry{}, false // it lies elsewhere
		}
	}
	list, err := kn.removedItems(ctx, []gittree.Entry{{Mode: gittree.ModeFile, Name: ItemPath(key), ID: l.Blob}})
	if err != nil || len(list) != 1 {
		return ItemEntry{}, false
	}
	return list[0], true
}

// isOfKnowledge reports whether a key is that of an item of knowledge, and of no shelf.
func isOfKnowledge(key string) bool { return !strings.Contains(key, "/") }

// liesOn reports whether a key is that of something on a shelf itself, and not below.
func liesOn(shelf string) func(key string) bool {
	return func(key string) bool { return path.Dir(key) == shelf }
}
