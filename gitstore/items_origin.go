package gitstore

import (
	"cmp"
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
	ItemAuthor
	Own bool // this user wrote here what it says, or stands for it; all else came from elsewhere, whoever it names
}

// An ItemAuthor is who wrote an item as it is, which anybody can claim to be.
type ItemAuthor struct {
	Commit    string
	Author    string // "Name <mail>"
	Time      time.Time
	Here      bool   // it was this user, here
	Elsewhere string // "Name <mail>" of who wrote, elsewhere, what was changed here since; "" is nobody
}

// Name is whose an item is that came from elsewhere.
func (a ItemAuthor) Name() string { return cmp.Or(a.Elsewhere, a.Author) }

// ItemAuthors are the authors of the items that were written since the knowledge tree
// went from old ("" is ever) to tip ("" is now), by key. It is for whoever keeps them
// beside what it derives from items, see [Store.ItemsSince]: it walks over the commits
// between, some 40 µs each; of one commit that changed items of knowledge it asks no
// git. What two sides made in a merge is of the merge.
func (s *Store) ItemAuthors(ctx context.Context, old, tip string) (map[string]ItemAuthor, error) {
	out := map[string]ItemAuthor{}
	var err error
	if tip == "" {
		tip, err = s.KnowledgeTip(ctx)
	}
	if err != nil || tip == "" || tip == old {
		return out, err
	}
	was, err := s.shards(old)
	if err != nil {
		return nil, err
	}
	now, err := s.shards(tip)
	if err != nil {
		return nil, err
	}
	changed, removed, err := s.changedItems(was, now)
	if err == nil {
		changed, err = s.addRemovals(changed, removed, old)
	}
	if err != nil || s.lastItems(out, old, tip, changed) {
		return out, err
	}
	revs := tip
	if old != "" {
		revs = old + ".." + tip
	}
	if err := s.logAuthors(ctx, out, revs, changed, itemsDir); err != nil {
		return nil, err
	}
	for _, f := range changed { // what a merge took up again was written before
		if out[itemKey(f.name)].Commit == "" && old != "" {
			if err := s.logAuthors(ctx, out, tip, []treeEntry{f}, f.name); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// addRemovals adds the items to those that changed since an old state that somebody elsewhere
// removed, as files of nothing.
func (s *Store) addRemovals(changed []treeEntry, removed []string, old string) ([]treeEntry, error) {
	gone, err := s.removalsSince(old, changed, removed)
	for _, f := range gone {
		changed = append(changed, treeEntry{f.mode, f.name, s.objects.Zero()})
	}
	return changed, err
}

// ItemOrigin is the origin of one item. It is a [NoItemError] if there is none of that
// key.
func (s *Store) ItemOrigin(ctx context.Context, key string) (ItemOrigin, error) {
	e, err := s.Item(ctx, key)
	if err != nil {
		return ItemOrigin{}, err
	}
	by, err := s.AuthorOf(ctx, e)
	return ItemOrigin{by, s.IsOwnItem(e)}, err
}

// AuthorOf is who wrote an item as it is in e, which may be an older version, or who removed
// it.
func (s *Store) AuthorOf(ctx context.Context, e ItemEntry) (ItemAuthor, error) {
	out, blob := map[string]ItemAuthor{}, e.Blob
	if e.IsRemoved() {
		blob = s.objects.Zero()
	}
	err := s.logAuthors(ctx, out, s.knowledge(), []treeEntry{{modeFile, e.Path, blob}}, e.Path)
	return out[e.Key], err
}

// ShelfAuthors are the authors of what stands beside the items, by key: of the pinned
// notes ("system"), or of the skills and their texts ("skills"). Git walks over all of
// history for them, so that they are kept until something changes there.
func (s *Store) ShelfAuthors(ctx context.Context, shelf string) (map[string]ItemAuthor, error) {
	at := s.knowledge()
	o, err := s.object(at + ":" + shelf)
	if errors.Is(err, git.ErrMissing) || err == nil && o.Type != "tree" {
		o, err = git.Object{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for who wrote '%s': %w", shelf, err)
	}
	files := s.below(shelf, parseTree(o.Data, s.idSize()), 0)
	of := o.ID
	for _, f := range s.removals(s.versions(), files, func(key string) bool { return strings.HasPrefix(key, shelf+"/") }) {
		files = append(files, treeEntry{f.mode, f.name, s.objects.Zero()})
		of += " " + f.name
	}
	if len(files) == 0 {
		return nil, nil
	}
	file := s.dir("cache", "authors-"+shelf+".json")
	kept := struct {
		Tree    string
		Authors map[string]ItemAuthor
	}{}
	if b, err := fsx.ReadOwn(file); err == nil && json.Unmarshal(b, &kept) == nil && kept.Tree == of {
		return kept.Authors, nil
	}
	kept.Tree, kept.Authors = of, map[string]ItemAuthor{}
	if err := s.logAuthors(ctx, kept.Authors, at, files, shelf); err != nil {
		return nil, err
	}
	if b, err := json.Marshal(kept); err == nil {
		_ = fsx.WriteDerived(file, b, 0o644) // else they are looked for again
	}
	return kept.Authors, nil
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

// logAuthors fills in the authors of files, as they are: of each the newest commit behind
// revs that wrote this very content. Behind those made here it goes on to what they
// changed, for who wrote that elsewhere. Whoever else changed a file, on another side of a
// merge, has no part in what it says.
func (s *Store) logAuthors(ctx context.Context, out map[string]ItemAuthor, revs string, files []treeEntry, paths ...string) error {
	wanted := map[string]string{}
	for _, f := range files {
		wanted[f.name] = f.id
	}
	made, begun := s.madeByMe(), s.begun()
	b, err := s.git.Run(ctx, append([]string{"log", "--topo-order", "-c", "--raw", "--no-abbrev", "--no-renames", "--root", "--no-follow", "--no-relative", "--no-show-signature", "--no-color", "--encoding=none", "--no-notes", "--no-decorate",
		"--format=%x01%H%x1f%an%x1f%ae%x1f%at", "--end-of-options", revs, "--"}, paths...)...)
	if err != nil {
		return fmt.Errorf("look for who wrote items: %w", logError(err))
	}
	var at ItemAuthor
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if head, ok := strings.CutPrefix(l, "\x01"); ok {
			f := strings.SplitN(head, "\x1f", 4)
			at = ItemAuthor{Commit: f[0], Author: person{f[1], f[2]}.String(), Time: unix(f[3])}
			at.Here = made.has(f[0]) || begun.has(f[0])
			continue
		}
		change, path, _ := strings.Cut(l, "\t") // :<modes> <contents> <status>, the last content is what became
		f := strings.Fields(change)
		if len(f) < 5 || wanted[path] != f[len(f)-2] || !isItemPath(path) {
			continue
		}
		key := itemKey(path)
		if known, ok := out[key]; !ok {
			out[key] = at
		} else if !at.Here {
			known.Elsewhere = at.Author
			out[key] = known
		}
		if wanted[path] = ""; at.Here {
			wanted[path] = f[len(f)-3] // what it was made of
		}
	}
	return nil
}

// lastItems fills in the authors of what the one commit between old and tip changed; false
// if there are several, or it changed other things than items of knowledge, or it was made
// here and touched what came from elsewhere.
func (s *Store) lastItems(out map[string]ItemAuthor, old, tip string, changed []treeEntry) bool {
	r, err := s.commitRecord(tip)
	if err != nil || len(r.Parents) != 1 || r.Parents[0] != old {
		return false
	}
	for _, f := range changed {
		if r.Own {
			o, err := s.object(f.id)
			if err != nil || !s.IsOwnItem(readItem(f.name, o)) {
				return false
			}
		}
	}
	for _, f := range changed {
		out[itemKey(f.name)] = ItemAuthor{Commit: tip, Author: person{r.Author, r.Email}.String(), Time: r.Time, Here: r.Own}
	}
	return len(changed) > 0
}
