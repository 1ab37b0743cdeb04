package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
)

// An ItemEntry is an item with where it lies.
type ItemEntry struct {
	Key  string     // what names it in a store, see [Collection.Item]
	Item *sage.Item // never nil; of one that cannot be read it has the id alone
	Blob string     // id of the file's content, which tells one version from another
	Path string
	Err  error // why it cannot be read; mostly nil

	Changed *Change // what somebody elsewhere made of it, and nobody here confirmed; mostly nil
	Old     bool    // it is of an older state of the knowledge
}

// A NoItemError says that there is no item, or none at that time. It is an
// ErrNotFound.
type NoItemError struct {
	ID   string
	Kind string // "" is item
	When string // "" is now

	Writes int // how often it was written, if When is a number of changes and there were not so many
}

func (e *NoItemError) Error() string {
	switch {
	case e.Writes == 1:
		return fmt.Sprintf("%s has no version at @{%s}: it was written once", ItemName(e.ID), e.When)
	case e.Writes > 1:
		return fmt.Sprintf("%s has no version at @{%s}: it was written %d times", ItemName(e.ID), e.When, e.Writes)
	}
	said := "no " + ItemName(e.ID)
	if e.Kind != "" {
		said = fmt.Sprintf("no %s '%s'", e.Kind, legible.OneLine(e.ID))
	}
	if e.When != "" {
		said += " at " + legible.OneLine(e.When)
	}
	return said
}

// ItemName is what people call what has a key: item 'x', note 'x', skill 'x', or
// text 'x/y' of a skill.
func ItemName(key string) string {
	kind, name := "item", key
	if note, ok := strings.CutPrefix(key, contents.SystemDir+"/"); ok {
		kind, name = "note", note
	} else if skill, ok := strings.CutPrefix(key, contents.SkillsDir+"/"); ok {
		kind, name = "skill", skill
		if strings.Contains(skill, "/") {
			kind = "text"
		}
	}
	return fmt.Sprintf("%s '%s'", kind, legible.OneLine(name))
}

// Is makes it an ErrNotFound.
func (e *NoItemError) Is(target error) bool { return target == repo.ErrNotFound }

// Expect makes ready for reading while the caller does other things: git takes 3 ms to
// start.
func (kn *reader) Expect() {
	go func() {
		if _, ok := kn.repo.LooseTreeOf(kn.history.Knowledge()); !ok {
			kn.repo.Batch.Start()
		}
	}()
}

// ItemInPlace is Item of one that lies where its key says. Whoever adds an item, whose id is
// mostly nowhere, is spared the reading of all folders.
func (kn *reader) ItemInPlace(ctx context.Context, key string) (ItemEntry, error) {
	return kn.itemNow(ctx, key, kn.itemAt)
}

func (kn *reader) itemNow(ctx context.Context, key string, item func(at, key string) (ItemEntry, error)) (ItemEntry, error) {
	at := kn.history.State()
	if err := kn.history.MayRead(at); err != nil {
		return ItemEntry{}, err
	}
	e, err := item(at, key)
	if err == nil {
		e, _ = kn.asLeft(kn.ownership.Versions(), e)
	} else if errors.Is(err, repo.ErrNotFound) {
		if gone, ok := kn.removedItem(ctx, key); ok {
			e, err = gone, nil
		}
	}
	return e, cmp.Or(err, ctx.Err())
}

// itemAt reads an item in a state of the knowledge. Of one id in both halves the private one
// counts.
func (kn *reader) itemAt(at, key string) (ItemEntry, error) {
	if CheckKey(key) != nil {
		return ItemEntry{}, &NoItemError{ID: key}
	}
	file := contents.Private(ItemPath(key))
	o, err := kn.contents.FileAt(at, file)
	if errors.Is(err, git.ErrMissing) {
		file = ItemPath(key)
		o, err = kn.contents.FileAt(at, file)
	}
	if errors.Is(err, git.ErrMissing) {
		return ItemEntry{}, &NoItemError{ID: key}
	}
	if err != nil {
		return ItemEntry{}, fmt.Errorf("read item '%s': %w", key, kn.repo.LeftOut(err))
	}
	return kn.published(ReadItem(file, o))[0], nil
}

// published has items say no more that they are private if they lie where they are shared, and a
// remote has them there as they are: whoever sent them said so of something that all have.
func (kn *reader) published(list ...ItemEntry) []ItemEntry {
	tips := sync.OnceValue(func() (ids []string) {
		refs, _ := kn.repo.Refs(context.Background(), refname.RemotePrefix) // else they stay private
		for _, r := range refs {
			if _, name := refname.Tracks(r.Name); name == refname.KnowledgeRef {
				ids = append(ids, r.ID)
			}
		}
		return ids
	})
	for _, e := range list {
		if e.Item.IsPrivate() && !contents.IsPrivate(e.Path) && slices.ContainsFunc(tips(), func(id string) bool {
			o, err := kn.contents.FileAt(id, e.Path)
			return err == nil && o.ID == e.Blob
		}) {
			e.Item.SetPrivate(false)
		}
	}
	return list
}

// IsSharedToo reports whether others have an item of the id of a private one.
func (kn *reader) IsSharedToo(e ItemEntry) bool {
	return contents.IsPrivate(e.Path) && kn.contents.HasFile(kn.history.State(), contents.Public(e.Path))
}

// itemAnywhere is itemAt that finds an item also where it does not belong, as a purge
// that changed its id leaves it. That takes 10 ms of 10,000 items, for those that are
// not there.
func (kn *reader) itemAnywhere(at, key string) (ItemEntry, error) {
	e, err := kn.itemAt(at, key)
	if !errors.Is(err, repo.ErrNotFound) || CheckKey(key) != nil || strings.Contains(key, "/") {
		return e, err
	}
	file, serr := kn.misplaced(at, key)
	if serr != nil || file.ID == "" {
		return e, cmp.Or(serr, err)
	}
	o, err := kn.repo.Object(file.ID)
	return kn.published(ReadItem(file.Name, o))[0], err
}

// ReadItem reads an item that was found at a path, which is what names it.
func ReadItem(file string, o git.Object) ItemEntry {
	e := ItemEntry{Key: ItemKey(file), Blob: o.ID, Path: file}
	if e.Item, e.Err = codec.ParseItem(o.Data); e.Err != nil {
		e.Item = &sage.Item{}
		e.Err = fmt.Errorf("read item '%s': %w", legible.OneLine(e.Key), e.Err)
	}
	e.Item.CodeRefs = sage.RefsInside(e.Item.CodeRefs)
	if e.Item.ID = path.Base(e.Key); shelfType(e.Key) != "" {
		e.Item.Type = shelfType(e.Key)
	}
	if err := CheckKey(e.Key); e.Err == nil && err != nil {
		e.Err = fmt.Errorf("read '%s': %w", legible.OneLine(file), err)
	}
	return e
}

// Items lists all items of knowledge, by path, as they count. What cannot be read is there
// with its id and the reason.
func (kn *reader) Items(ctx context.Context) ([]ItemEntry, error) {
	if err := kn.history.MayRead(kn.history.State()); err != nil {
		return nil, err
	}
	files, err := kn.allItems()
	if err != nil {
		return nil, err
	}
	return kn.itemsIn(ctx, files)
}

// itemsIn are the items in the files of all of them.
func (kn *reader) itemsIn(ctx context.Context, files []gittree.Entry) ([]ItemEntry, error) {
	list, err := kn.readItems(ctx, files)
	if err != nil {
		return nil, err
	}
	return kn.addRemoved(ctx, kn.allAsLeft(list), files, isOfKnowledge)
}

// FewItems is Items of a store that has at most so many. Of one that has more it reads next to
// nothing, and returns false.
func (kn *reader) FewItems(ctx context.Context, most int) (list []ItemEntry, few bool, err error) {
	if err := kn.history.MayRead(kn.history.State()); err != nil {
		return nil, false, err
	}
	if folders, err := kn.shards(kn.history.State()); err == nil && len(folders) > most {
		return nil, false, nil
	}
	files, err := kn.allItems()
	if err != nil || len(files) > most {
		return nil, false, err
	}
	list, err = kn.itemsIn(ctx, files)
	return list, err == nil, err
}

// allItems are the files of all items of knowledge.
func (kn *reader) allItems() ([]gittree.Entry, error) {
	now, err := kn.shards(kn.history.State())
	if errors.Is(err, repo.ErrNotFound) {
		return nil, nil
	}
	var files []gittree.Entry
	if err == nil {
		files, _, err = kn.changedItems(nil, now)
	}
	if err != nil {
		return nil, fmt.Errorf("list items: %w", err)
	}
	return oneOfEach(files), nil
}

// oneOfEach leaves out items where they do not belong, if they are also where they do, and what
// is shared of an id that is private as well.
func oneOfEach(files []gittree.Entry) []gittree.Entry {
	best := map[string]int{}
	odd := false
	rank := func(file string) (n int) {
		if IsInPlace(file) {
			n++
		}
		if contents.IsPrivate(file) {
			n += 2
		}
		return n
	}
	for _, f := range files {
		n := rank(f.Name)
		odd = odd || n != 1
		key := ItemKey(f.Name)
		best[key] = max(best[key], n)
	}
	if !odd {
		return files
	}
	return slices.DeleteFunc(files, func(f gittree.Entry) bool { return rank(f.Name) < best[ItemKey(f.Name)] })
}

// ItemsUnder lists the pinned notes ("system"), the skills ("skills") or the texts of a
// skill ("skills/<name>"), by name.
func (kn *reader) ItemsUnder(ctx context.Context, shelf string) ([]ItemEntry, error) {
	if err := CheckKey(shelf + "/x"); err != nil {
		return nil, err
	}
	at := kn.history.State()
	if err := kn.history.MayRead(at); err != nil {
		return nil, err
	}
	files, v := []gittree.Entry(nil), kn.ownership.Versions()
	for _, dir := range []string{shelf, contents.Private(shelf)} {
		tip := contents.Half(at, dir)
		if tip == "" {
			continue
		}
		entries, err := kn.contents.ItemFolder(tip + ":" + dir)
		if err != nil && !errors.Is(err, git.ErrMissing) {
			return nil, fmt.Errorf("list '%s': %w", dir, err)
		}
		entries = slices.DeleteFunc(entries, func(e gittree.Entry) bool { return !isItemFile(e) })
		for i := range entries {
			entries[i].Name = dir + "/" + entries[i].Name
		}
		// Whoever fills a folder up to its bounds elsewhere takes the room of nothing that was here.
		entries = lists.PutFirst(entries, func(e gittree.Entry) bool { return v.There(ItemKey(e.Name)) != "" })
		if b, ok := contents.BoundIn(dir); ok {
			entries = entries[:min(len(entries), b.Files)]
		}
		files = append(files, entries...)
	}
	files = oneOfEach(files)
	list, err := kn.readItems(ctx, files)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b ItemEntry) int { return strings.Compare(a.Path, b.Path) })
	return kn.addRemoved(ctx, kn.allAsLeft(list), files, liesOn(shelf))
}

func isItemFile(e gittree.Entry) bool {
	return e.Mode == gittree.ModeFile && strings.HasSuffix(e.Name, ".md")
}

// readItems reads the items in files: git writes them one after the other, and they
// are taken apart side by side, which of 10,000 takes 23 µs of a processor each.
func (kn *reader) readItems(ctx context.Context, files []gittree.Entry) ([]ItemEntry, error) {
	if len(files) == 0 {
		return nil, ctx.Err()
	}
	out, i := make([]ItemEntry, len(files)), 0
	sums := contents.Tallies{}
	var parsers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	err := kn.contents.EachItem(files, func(f gittree.Entry, o git.Object, err error) {
		e := &out[i]
		i++
		if ctx.Err() != nil {
			return // nobody waits any more; the rest is only taken off the pipe
		}
		if err == nil {
			err = sums.Add(f.Name, len(o.Data))
		}
		if err != nil {
			key := ItemKey(f.Name)
			*e = ItemEntry{Key: key, Item: &sage.Item{ID: path.Base(key)}, Blob: f.ID, Path: f.Name, Err: fmt.Errorf("read item '%s': %w", legible.OneLine(key), err)}
			return
		}
		free <- struct{}{}
		parsers.Go(func() { *e = ReadItem(f.Name, o); <-free })
	})
	parsers.Wait()
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	return kn.published(out...), nil
}

// ItemsSince lists what has changed since the knowledge was in the state old ("" is
// empty), which items are gone since, by id, and its state now: what derives from
// items catches up by it; one of this user's own that somebody else removed has changed.
// It looks into folders that differ only. An old that is no
// longer there (a gc, a purge) is ErrNotFound: begin anew, then, with "".
func (kn *reader) ItemsSince(ctx context.Context, old string) (changed []ItemEntry, removed []string, tip string, err error) {
	if err = kn.history.MayRead(kn.history.State()); err != nil {
		return nil, nil, "", err
	}
	if tip, err = kn.history.StateTip(ctx); err != nil || tip == old {
		return nil, nil, tip, err
	}
	was, err := kn.shards(old)
	if err != nil {
		return nil, nil, "", err
	}
	now, err := kn.shards(tip)
	if err != nil {
		return nil, nil, "", err
	}
	files, removed, err := kn.changedItems(was, now)
	if err == nil {
		files, err = kn.counting(tip, files, removed)
	}
	if err == nil {
		changed, err = kn.readItems(ctx, files)
	}
	changed = kn.allAsLeft(changed)
	if err == nil {
		var at []gittree.Entry
		if at, err = kn.removalsSince(old, files, removed); err == nil {
			var gone []ItemEntry
			gone, err = kn.removedItems(ctx, at)
			changed = append(changed, gone...)
		}
	}
	return changed, kn.reallyGone(tip, removed, changed), tip, err
}

// counting are the files that count among those that changed on the way to a state, in which
// some keys are gone from where they were: what is shared of an id that is private does not, and
// counts again when that is gone.
func (kn *reader) counting(state string, files []gittree.Entry, removed []string) ([]gittree.Entry, error) {
	_, private := refname.Halves(state)
	if private == "" && len(removed) == 0 {
		return files, nil
	}
	folders, err := kn.shards(refname.State("", private))
	if err != nil {
		return nil, err
	}
	alone, _, err := kn.changedItems(nil, folders)
	if err != nil {
		return nil, err
	}
	hidden, changed := map[string]bool{}, map[string]bool{}
	for _, f := range alone {
		hidden[ItemKey(f.Name)] = true
	}
	files = slices.DeleteFunc(files, func(f gittree.Entry) bool { return !contents.IsPrivate(f.Name) && hidden[ItemKey(f.Name)] })
	for _, f := range files {
		changed[ItemKey(f.Name)] = true
	}
	for _, key := range removed {
		if hidden[key] || changed[key] {
			continue
		}
		o, err := kn.contents.FileAt(state, ItemPath(key))
		if err == nil {
			files = append(files, gittree.Entry{Mode: gittree.ModeFile, Name: ItemPath(key), ID: o.ID})
		} else if !errors.Is(err, git.ErrMissing) {
			return nil, fmt.Errorf("read item '%s': %w", key, kn.repo.LeftOut(err))
		}
	}
	return files, nil
}

// reallyGone are those of keys that are nowhere now: an item may have been moved to
// its place.
func (kn *reader) reallyGone(tip string, keys []string, changed []ItemEntry) []string {
	there := map[string]bool{}
	for _, e := range changed {
		there[e.Key] = true
	}
	return slices.DeleteFunc(keys, func(key string) bool {
		if there[key] || tip == "" {
			return there[key]
		}
		_, err := kn.itemAt(tip, key)
		return err == nil
	})
}
