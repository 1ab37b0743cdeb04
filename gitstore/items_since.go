package gitstore

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// shards are the folders of items at a commit, by name; of no commit there are none.
func (s *Store) shards(commit string) (map[string]string, error) {
	out := map[string]string{}
	if commit == "" {
		return out, nil
	}
	if _, err := s.object(commit); errors.Is(err, git.ErrMissing) {
		return nil, fmt.Errorf("%w: knowledge of %s", ErrNotFound, short(commit))
	} else if err != nil {
		return nil, fmt.Errorf("read knowledge of %s: %w", short(commit), err)
	}
	entries, err := s.folder(commit + ":" + itemsDir)
	if err != nil && !errors.Is(err, git.ErrMissing) {
		return nil, fmt.Errorf("read knowledge of %s: %w", short(commit), err)
	}
	for _, e := range entries {
		if e.mode == modeDir {
			out[e.name] = e.id
		}
	}
	return out, nil
}

// misplaced is the file of an item in whichever folder it is, if it is in any. Most
// ids are nowhere, so that names are only looked for in what git has of each folder.
func (s *Store) misplaced(at, key string) (found treeEntry, err error) {
	folders, none := s.shards(at)
	if none != nil {
		return found, nil
	}
	names, base := slices.Sorted(maps.Keys(folders)), path.Base(itemPath(key))
	ids, i := make([]string, len(names)), 0
	for i, name := range names {
		ids[i] = folders[name]
	}
	over := s.eachObject(ids, func(_ string, o git.Object, missing error) {
		dir := itemsDir + "/" + names[i]
		if i++; missing != nil {
			err = fmt.Errorf("read '%s': %w", dir, missing)
		} else if e, ok := s.fileIn(o, base); ok {
			found = treeEntry{e.mode, dir + "/" + base, e.id}
		}
	})
	return found, cmp.Or(over, err)
}

// fileIn is the file of an item of that name in a folder.
func (s *Store) fileIn(o git.Object, name string) (treeEntry, bool) {
	if !bytes.Contains(o.Data, []byte(" "+name+"\x00")) {
		return treeEntry{}, false
	}
	entries := parseTree(o.Data, s.idSize())
	i := slices.IndexFunc(entries, func(e treeEntry) bool { return e.name == name && isItemFile(e) })
	if i < 0 {
		return treeEntry{}, false
	}
	return entries[i], true
}

// changedItems are the files of items that are other than they were, and the ids of
// those that are gone.
func (s *Store) changedItems(was, now map[string]string) (changed []treeEntry, removed []string, err error) {
	names := slices.Sorted(maps.Keys(now))
	for name := range was {
		if now[name] == "" {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if was[name] == now[name] {
			continue
		}
		before, err := s.shard(name, was[name])
		if err != nil {
			return nil, nil, err
		}
		after, err := s.shard(name, now[name])
		if err != nil {
			return nil, nil, err
		}
		for _, file := range slices.Sorted(maps.Keys(after)) {
			if before[file] != after[file] {
				changed = append(changed, treeEntry{modeFile, file, after[file]})
			}
		}
		for file := range before {
			if after[file] == "" {
				removed = append(removed, itemKey(file))
			}
		}
	}
	slices.Sort(removed)
	return changed, removed, nil
}

// shard are the files of a folder of items, by path.
func (s *Store) shard(name, id string) (map[string]string, error) {
	out := map[string]string{}
	if id == "" {
		return out, nil
	}
	entries, err := s.folder(id)
	if err != nil {
		return nil, fmt.Errorf("read '%s/%s': %w", itemsDir, name, err)
	}
	for _, e := range entries {
		if isItemFile(e) {
			out[itemsDir+"/"+name+"/"+e.name] = e.id
		}
	}
	return out, nil
}
