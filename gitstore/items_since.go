package gitstore

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// shards are the folders of items at a commit, by name; of no commit there are none.
func (s *Store) shards(commit string) (map[string]string, error) {
	out := map[string]string{}
	if commit == "" {
		return out, nil
	}
	if _, err := s.batch.Get(commit); errors.Is(err, git.ErrMissing) {
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
