package gitstore

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Who removes an item elsewhere hides it as whoever archives it does, and it waits as well:
// until somebody here confirms that, it counts as its user left it. Of such a one the
// knowledge tree has no file, and sage/versions a version. Where there is no knowledge at all
// nobody removed anything from it; and what a purge took out of history never comes back.

// removals are the items that this user left and that files do not hold any more, by path,
// of the keys that are wanted; files are all in which those may lie.
func (s *Store) removals(v *versions, files []treeEntry, wanted func(key string) bool) (list []treeEntry) {
	if v == nil || s.isEmpty() {
		return nil
	}
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[itemKey(f.name)] = true
	}
	v.each(func(l version) {
		if !there[l.key] && wanted(l.key) && s.awaits(v, l) {
			list = append(list, treeEntry{modeFile, itemPath(l.key), l.blob})
		}
	})
	slices.SortFunc(list, func(a, b treeEntry) int { return cmp.Compare(a.name, b.name) })
	return list
}

// removalsSince are the removals among the keys that are gone since an old state of the
// knowledge; files are what changed since.
func (s *Store) removalsSince(old string, files []treeEntry, keys []string) (_ []treeEntry, err error) {
	v, wanted := s.versions(), isOfKnowledge
	if old != "" {
		gone := map[string]bool{}
		for _, key := range keys {
			if v.there(key) != "" {
				gone[key] = true
			}
		}
		if len(gone) == 0 {
			return nil, nil
		}
		if files, err = s.allItems(); err != nil { // it may lie where it did not change
			return nil, err
		}
		wanted = func(key string) bool { return gone[key] }
	}
	return s.removals(v, files, wanted), nil
}

// isEmpty reports whether there is no knowledge.
func (s *Store) isEmpty() bool { return s.knowledge() == s.objects.Zero() }

// awaits reports whether a version that this user left, and that is not there, waits for
// them: neither they nor a purge removed it.
func (s *Store) awaits(v *versions, l version) bool {
	removal := version{s.objects.Zero(), l.key}
	if l == removal || checkKey(l.key) != nil || s.begun().has(removal.claim()) && !v.lists(removal) {
		return false
	}
	now, gone := s.purged(l.blob)
	return !gone && now == l.blob
}

// removedItems are the items that lie in files, as their user left them before somebody else
// removed them. What cannot be read is none.
func (s *Store) removedItems(ctx context.Context, files []treeEntry) ([]ItemEntry, error) {
	list, err := s.readItems(ctx, files)
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
func (s *Store) addRemoved(ctx context.Context, list []ItemEntry, files []treeEntry, wanted func(key string) bool) ([]ItemEntry, error) {
	gone, err := s.removedItems(ctx, s.removals(s.versions(), files, wanted))
	if len(gone) > 0 {
		list = append(list, gone...)
		slices.SortStableFunc(list, func(a, b ItemEntry) int { return strings.Compare(a.Path, b.Path) })
	}
	return list, err
}

// removedItem is the item of a key that somebody elsewhere removed.
func (s *Store) removedItem(ctx context.Context, key string) (ItemEntry, bool) {
	v := s.versions()
	l := version{v.there(key), key}
	if l.blob == "" || s.isEmpty() || !s.awaits(v, l) {
		return ItemEntry{}, false
	}
	if isOfKnowledge(key) {
		if file, err := s.misplaced(s.knowledge(), key); err != nil || file.id != "" {
			return ItemEntry{}, false // it lies elsewhere
		}
	}
	list, err := s.removedItems(ctx, []treeEntry{{modeFile, itemPath(key), l.blob}})
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
