package knowledge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// shards are the folders of items in a state of the knowledge, by path; of no state there are
// none.
func (kn *reader) shards(state string) (map[string]string, error) {
	out := map[string]string{}
	for _, dir := range []string{contents.ItemsDir, contents.Private(contents.ItemsDir)} {
		commit := contents.Half(state, dir)
		if commit == "" || commit == kn.repo.Objects.Zero() && commit != state {
			continue
		}
		if _, err := kn.repo.Object(commit); errors.Is(err, git.ErrMissing) {
			return nil, fmt.Errorf("%w: knowledge of %s", repo.ErrNotFound, record.Short(commit))
		} else if err != nil {
			return nil, fmt.Errorf("read knowledge of %s: %w", record.Short(commit), err)
		}
		entries, err := kn.contents.ItemFolder(commit + ":" + dir)
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return nil, fmt.Errorf("read knowledge of %s: %w", record.Short(commit), err)
		}
		for _, e := range entries {
			if e.Mode == gittree.ModeDir {
				out[dir+"/"+e.Name] = e.ID
			}
		}
	}
	return out, nil
}

// misplaced is the file of an item in whichever folder it is, if it is in any, the private ones
// before all others. Most
// ids are nowhere, so that names are only looked for in what git has of each folder.
func (kn *reader) misplaced(at, key string) (found gittree.Entry, err error) {
	folders, none := kn.shards(at)
	if none != nil {
		return found, nil
	}
	names, base := slices.Sorted(maps.Keys(folders)), path.Base(ItemPath(key))
	ids, i := make([]string, len(names)), 0
	for i, name := range names {
		ids[i] = folders[name]
	}
	over := kn.repo.EachObject(ids, func(_ string, o git.Object, missing error) {
		dir := names[i]
		if i++; missing != nil {
			err = fmt.Errorf("read '%s': %w", dir, missing)
		} else if e, ok := kn.fileIn(o, base); ok {
			found = gittree.Entry{Mode: e.Mode, Name: dir + "/" + base, ID: e.ID}
		}
	})
	return found, cmp.Or(over, err)
}

// fileIn is the file of an item of that name in a folder.
func (kn *reader) fileIn(o git.Object, name string) (gittree.Entry, bool) {
	if !bytes.Contains(o.Data, []byte(" "+name+"\x00")) {
		return gittree.Entry{}, false
	}
	entries := gittree.Parse(o.Data, kn.repo.IDSize())
	i := slices.IndexFunc(entries, func(e gittree.Entry) bool { return e.Name == name && isItemFile(e) })
	if i < 0 {
		return gittree.Entry{}, false
	}
	return entries[i], true
}

// changedItems are the files of items that are other than they were, and the ids of
// those that are gone.
func (kn *reader) changedItems(was, now map[string]string) (changed []gittree.Entry, removed []string, err error) {
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
		before, err := kn.shard(name, was[name])
		if err != nil {
			return nil, nil, err
		}
		after, err := kn.shard(name, now[name])
		if err != nil {
			return nil, nil, err
		}
		for _, file := range slices.Sorted(maps.Keys(after)) {
			if before[file] != after[file] {
				changed = append(changed, gittree.Entry{Mode: gittree.ModeFile, Name: file, ID: after[file]})
			}
		}
		for file := range before {
			if after[file] == "" {
				removed = append(removed, ItemKey(file))
			}
		}
	}
	slices.Sort(removed)
	return changed, removed, nil
}

// shard are the files of a folder of items, by path.
func (kn *reader) shard(name, id string) (map[string]string, error) {
	out := map[string]string{}
	if id == "" {
		return out, nil
	}
	entries, err := kn.contents.ItemFolder(id)
	if err != nil {
		return nil, fmt.Errorf("read '%s': %w", name, err)
	}
	for _, e := range entries {
		if isItemFile(e) {
			out[name+"/"+e.Name] = e.ID
		}
	}
	return out, nil
}

// CountChanged counts the items that differ between two states; "" is empty. It reads folders alone.
func (kn *reader) CountChanged(old, new string) (int, error) {
	was, err := kn.shards(old)
	if err != nil {
		return 0, err
	}
	now, err := kn.shards(new)
	if err != nil {
		return 0, err
	}
	changed, gone, err := kn.changedItems(was, now)
	return len(changed) + len(gone), err
}
