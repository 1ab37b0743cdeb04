package gitstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

// An ItemOrigin says who wrote an item as it is.
type ItemOrigin struct {
	Commit string
	Author string // "Name <mail>", which anybody can claim to be
	Time   time.Time
	Own    bool // it was made here, and not of what others wrote; all else came from elsewhere, whoever it names
}

// ItemOrigins are the origins of the items that were written since the knowledge tree
// went from old ("" is ever) to tip ("" is now), by key. It is for whoever keeps them
// beside what it derives from items, see [Store.ItemsSince]: it walks over the commits
// between, some 40 µs each; of one commit that changed items of knowledge it asks no
// git. What two sides made in a merge is of the merge.
func (s *Store) ItemOrigins(ctx context.Context, old, tip string) (map[string]ItemOrigin, error) {
	out := map[string]ItemOrigin{}
	var err error
	if tip == "" {
		tip, err = s.KnowledgeTip(ctx)
	}
	if err != nil || tip == "" || tip == old {
		return out, err
	}
	own, err := s.ownIDs()
	if err != nil {
		return nil, err
	}
	was, err := s.shards(old)
	if err != nil {
		return nil, err
	}
	now, err := s.shards(tip)
	if err != nil {
		return nil, err
	}
	changed, _, err := s.changedItems(was, now)
	if err != nil || s.lastItems(out, own[tip], old, tip, changed) {
		return out, err
	}
	revs := tip
	if old != "" {
		revs = old + ".." + tip
	}
	if err := s.logOrigins(ctx, out, own, revs, changed, itemsDir); err != nil {
		return nil, err
	}
	for _, f := range changed { // what a merge took up again was written before
		if out[itemKey(f.name)].Commit == "" && old != "" {
			if err := s.logOrigins(ctx, out, own, tip, []treeEntry{f}, f.name); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// ItemOrigin is the origin of one item. It is a [NoItemError] if there is none of that
// key.
func (s *Store) ItemOrigin(ctx context.Context, key string) (ItemOrigin, error) {
	own, err := s.ownIDs()
	if err != nil {
		return ItemOrigin{}, err
	}
	e, err := s.Item(ctx, key)
	if err != nil {
		return ItemOrigin{}, err
	}
	out := map[string]ItemOrigin{}
	err = s.logOrigins(ctx, out, own, s.knowledge(), []treeEntry{{modeFile, e.Path, e.Blob}}, e.Path)
	return out[e.Key], err
}

// ShelfOrigins are the origins of what stands beside the items, by key: of the pinned
// notes ("system"), or of the skills and their texts ("skills"). Git walks over all of
// history for them, so that they are kept until something changes there.
func (s *Store) ShelfOrigins(ctx context.Context, shelf string) (map[string]ItemOrigin, error) {
	at := s.knowledge()
	o, err := s.object(at + ":" + shelf)
	if errors.Is(err, git.ErrMissing) || err == nil && o.Type != "tree" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for who wrote '%s': %w", shelf, err)
	}
	file := s.dir("cache", "origins-"+shelf+".json")
	kept := struct {
		Tree    string
		Origins map[string]ItemOrigin
	}{}
	if b, err := fsx.ReadOwn(file); err == nil && json.Unmarshal(b, &kept) == nil && kept.Tree == o.ID {
		return kept.Origins, nil
	}
	own, err := s.ownIDs()
	if err != nil {
		return nil, err
	}
	kept.Tree, kept.Origins = o.ID, map[string]ItemOrigin{}
	if err := s.logOrigins(ctx, kept.Origins, own, at, s.below(shelf, parseTree(o.Data, s.idSize()), 0), shelf); err != nil {
		return nil, err
	}
	if b, err := json.Marshal(kept); err == nil {
		_ = fsx.WriteDerived(file, b, 0o644) // else they are looked for again
	}
	return kept.Origins, nil
}

// below are the files in a folder and those in it.
func (s *Store) below(dir string, entries []treeEntry, depth int) (files []treeEntry) {
	for _, e := range entries {
		name := dir + "/" + e.name
		if e.mode != modeDir {
			files = append(files, treeEntry{e.mode, name, e.id})
		} else if inner, err := s.folder(e.id); err == nil && depth < maxDepth {
			files = append(files, s.below(name, inner, depth+1)...)
		}
	}
	return files
}

// logOrigins fills in the origins of files, as they are: of each the newest commit behind
// revs that wrote this very content, or one of those made here if there is any. Whoever
// else changed a file, on another side of a merge, has no part in what it says.
func (s *Store) logOrigins(ctx context.Context, out map[string]ItemOrigin, own map[string]bool, revs string, files []treeEntry, paths ...string) error {
	wanted := map[string]string{}
	for _, f := range files {
		wanted[f.name] = f.id
	}
	b, err := s.git.Run(ctx, append([]string{"log", "--topo-order", "-c", "--raw", "--no-abbrev", "--no-renames", "--root", "--no-follow", "--no-relative", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--no-notes", "--no-decorate",
		"--format=%x01%H%x1f%an%x1f%ae%x1f%at%x1f%P", "--end-of-options", revs, "--"}, paths...)...)
	if err != nil {
		return fmt.Errorf("look for who wrote items: %w", logError(err))
	}
	var at ItemOrigin
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if head, ok := strings.CutPrefix(l, "\x01"); ok {
			f := strings.SplitN(head, "\x1f", 5)
			at = ItemOrigin{f[0], person{f[1], f[2]}.String(), unix(f[3]), own[f[0]] && !strings.Contains(f[4], " ")}
			continue
		}
		change, path, _ := strings.Cut(l, "\t") // :<modes> <contents> <status>, the last content is what became
		f := strings.Fields(change)
		if len(f) < 5 || wanted[path] != f[len(f)-2] || !isItemPath(path) {
			continue
		}
		if key := itemKey(path); out[key].Commit == "" || at.Own && !out[key].Own {
			out[key] = at
		}
	}
	return nil
}

// lastItems fills in the origins of what the one commit between old and tip changed; false
// if there are several, or it changed other things than items of knowledge.
func (s *Store) lastItems(out map[string]ItemOrigin, own bool, old, tip string, changed []treeEntry) bool {
	r, err := s.commitRecord(tip)
	if err != nil || len(r.Parents) != 1 || r.Parents[0] != old {
		return false
	}
	for _, f := range changed {
		out[itemKey(f.name)] = ItemOrigin{tip, person{r.Author, r.Email}.String(), r.Time, own}
	}
	return len(changed) > 0
}
