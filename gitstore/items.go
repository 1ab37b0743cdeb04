package gitstore

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

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// An ItemEntry is an item with where it lies.
type ItemEntry struct {
	Key  string     // what names it in a store, see [Store.Item]
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
		return fmt.Sprintf("%s was written once, and @{%s} is before that", itemName(e.ID), e.When)
	case e.Writes > 1:
		return fmt.Sprintf("%s was written %d times, and @{%s} is before that", itemName(e.ID), e.Writes, e.When)
	}
	said := "no " + itemName(e.ID)
	if e.Kind != "" {
		said = fmt.Sprintf("no %s '%s'", e.Kind, sage.OneLine(e.ID))
	}
	if e.When != "" {
		said += " at " + sage.OneLine(e.When)
	}
	return said
}

// itemName is what people call what has a key: item 'x', note 'x', skill 'x', or
// text 'x/y' of a skill.
func itemName(key string) string {
	kind, name := "item", key
	if note, ok := strings.CutPrefix(key, systemDir+"/"); ok {
		kind, name = "note", note
	} else if skill, ok := strings.CutPrefix(key, skillsDir+"/"); ok {
		kind, name = "skill", skill
		if strings.Contains(skill, "/") {
			kind = "text"
		}
	}
	return fmt.Sprintf("%s '%s'", kind, sage.OneLine(name))
}

// Is makes it an ErrNotFound.
func (e *NoItemError) Is(target error) bool { return target == ErrNotFound }

// Expect makes ready for reading while the caller does other things: git takes 3 ms to
// start.
func (s *Store) Expect() {
	go func() {
		if _, ok := s.looseTreeOf(s.knowledge()); !ok {
			s.batch.Start()
		}
	}()
}

// Item returns an item as it is now. The key of an item of knowledge is its id; that
// of a pinned note is system/<name>, of a skill skills/<name>, of a text that belongs
// to one skills/<skill>/<name>. With @{<when>} behind it, it is the item at another
// time: see [Store.ItemAt].
func (s *Store) Item(ctx context.Context, key string) (ItemEntry, error) {
	if key, when, ok := cutWhen(key); ok {
		return s.ItemAt(ctx, key, when)
	}
	return s.itemNow(ctx, key, s.itemAnywhere)
}

// ItemInPlace is Item of one that lies where its key says. Whoever adds an item, whose id is
// mostly nowhere, is spared the reading of all folders.
func (s *Store) ItemInPlace(ctx context.Context, key string) (ItemEntry, error) {
	return s.itemNow(ctx, key, s.itemAt)
}

func (s *Store) itemNow(ctx context.Context, key string, item func(at, key string) (ItemEntry, error)) (ItemEntry, error) {
	at := s.knowledge()
	if err := s.mayRead(at); err != nil {
		return ItemEntry{}, err
	}
	e, err := item(at, key)
	if err == nil {
		e, _ = s.asLeft(s.versions(), e)
	} else if errors.Is(err, ErrNotFound) {
		if gone, ok := s.removedItem(ctx, key); ok {
			e, err = gone, nil
		}
	}
	return e, cmp.Or(err, ctx.Err())
}

// itemAt reads an item of the knowledge tree at a commit or ref.
func (s *Store) itemAt(at, key string) (ItemEntry, error) {
	if checkKey(key) != nil {
		return ItemEntry{}, &NoItemError{ID: key}
	}
	file := itemPath(key)
	o, err := s.fileAt(at, file)
	if errors.Is(err, git.ErrMissing) {
		return ItemEntry{}, &NoItemError{ID: key}
	}
	if err != nil {
		return ItemEntry{}, fmt.Errorf("read item '%s': %w", key, s.leftOut(err))
	}
	return readItem(file, o), nil
}

// fileAt reads a file of the knowledge tree at a commit or ref. git.ErrMissing says
// that there is none; one that is there and cannot be read is another error, lest it
// is written over.
func (s *Store) fileAt(at, file string) (git.Object, error) {
	o, err := s.object(at + ":" + file)
	if err == nil && o.Type != "blob" {
		err = git.ErrMissing
	}
	if !errors.Is(err, git.ErrMissing) {
		return o, err
	}
	if s.names(at, file) {
		return o, errGone
	}
	return o, err
}

// names reports whether a tree names a file, or a folder above it that is missing.
func (s *Store) names(at, file string) bool {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	entries, err := s.folder(at + ":" + dir)
	switch {
	case err == nil:
		return slices.ContainsFunc(entries, func(e treeEntry) bool { return e.name == name })
	case dir == "":
		_, err = s.object(at)
		return err == nil
	}
	return s.names(at, dir)
}

// itemAnywhere is itemAt that finds an item also where it does not belong, as a purge
// that changed its id leaves it. That takes 10 ms of 10,000 items, for those that are
// not there.
func (s *Store) itemAnywhere(at, key string) (ItemEntry, error) {
	e, err := s.itemAt(at, key)
	if !errors.Is(err, ErrNotFound) || checkKey(key) != nil || strings.Contains(key, "/") {
		return e, err
	}
	file, serr := s.misplaced(at, key)
	if serr != nil || file.id == "" {
		return e, cmp.Or(serr, err)
	}
	o, err := s.object(file.id)
	return readItem(file.name, o), err
}

// readItem reads an item that was found at a path, which is what names it.
func readItem(file string, o git.Object) ItemEntry {
	e := ItemEntry{Key: itemKey(file), Blob: o.ID, Path: file}
	if e.Item, e.Err = sage.ParseItem(o.Data); e.Err != nil {
		e.Item = &sage.Item{}
		e.Err = fmt.Errorf("read item '%s': %w", sage.OneLine(e.Key), e.Err)
	}
	e.Item.CodeRefs = sage.RefsInside(e.Item.CodeRefs)
	if e.Item.ID = path.Base(e.Key); shelfType(e.Key) != "" {
		e.Item.Type = shelfType(e.Key)
	}
	if err := checkKey(e.Key); e.Err == nil && err != nil {
		e.Err = fmt.Errorf("read '%s': %w", sage.OneLine(file), err)
	}
	return e
}

// Items lists all items of knowledge, by path, as they count. What cannot be read is there
// with its id and the reason.
func (s *Store) Items(ctx context.Context) ([]ItemEntry, error) {
	if err := s.mayRead(s.knowledge()); err != nil {
		return nil, err
	}
	files, err := s.allItems()
	if err != nil {
		return nil, err
	}
	return s.itemsIn(ctx, files)
}

// itemsIn are the items in the files of all of them.
func (s *Store) itemsIn(ctx context.Context, files []treeEntry) ([]ItemEntry, error) {
	list, err := s.readItems(ctx, files)
	if err != nil {
		return nil, err
	}
	return s.addRemoved(ctx, s.allAsLeft(list), files, isOfKnowledge)
}

// FewItems is Items of a store that has at most so many. Of one that has more it reads next to
// nothing, and returns false.
func (s *Store) FewItems(ctx context.Context, most int) (list []ItemEntry, few bool, err error) {
	if err := s.mayRead(s.knowledge()); err != nil {
		return nil, false, err
	}
	if folders, err := s.shards(s.knowledge()); err == nil && len(folders) > most {
		return nil, false, nil
	}
	files, err := s.allItems()
	if err != nil || len(files) > most {
		return nil, false, err
	}
	list, err = s.itemsIn(ctx, files)
	return list, err == nil, err
}

// allItems are the files of all items of knowledge.
func (s *Store) allItems() ([]treeEntry, error) {
	now, err := s.shards(s.knowledge())
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	var files []treeEntry
	if err == nil {
		files, _, err = s.changedItems(nil, now)
	}
	if err != nil {
		return nil, fmt.Errorf("list items: %w", err)
	}
	return oneOfEach(files), nil
}

// oneOfEach leaves out items where they do not belong, if they are also where they do.
func oneOfEach(files []treeEntry) []treeEntry {
	placed := map[string]bool{}
	odd := false
	for _, f := range files {
		if isPlaced := f.name == itemPath(itemKey(f.name)); isPlaced {
			placed[f.name] = true
		} else {
			odd = true
		}
	}
	if !odd {
		return files
	}
	return slices.DeleteFunc(files, func(f treeEntry) bool {
		right := itemPath(itemKey(f.name))
		return f.name != right && placed[right]
	})
}

// ItemsUnder lists the pinned notes ("system"), the skills ("skills") or the texts of a
// skill ("skills/<name>"), by name.
func (s *Store) ItemsUnder(ctx context.Context, shelf string) ([]ItemEntry, error) {
	if err := checkKey(shelf + "/x"); err != nil {
		return nil, err
	}
	at := s.knowledge()
	if err := s.mayRead(at); err != nil {
		return nil, err
	}
	entries, err := s.folder(at + ":" + shelf)
	if err != nil && !errors.Is(err, git.ErrMissing) {
		return nil, fmt.Errorf("list '%s': %w", shelf, err)
	}
	var files []treeEntry
	if b, ok := boundIn(shelf); ok {
		entries = slices.DeleteFunc(entries, func(e treeEntry) bool { return !isItemFile(e) })
		entries = entries[:min(len(entries), b.files)]
	}
	for _, e := range entries {
		if isItemFile(e) {
			e.name = shelf + "/" + e.name
			files = append(files, e)
		}
	}
	list, err := s.readItems(ctx, files)
	if err != nil {
		return nil, err
	}
	return s.addRemoved(ctx, s.allAsLeft(list), files, liesOn(shelf))
}

// KnowledgeTip is the commit that the knowledge tree is at, "" before the first.
// Whoever derives something from it notes this.
func (s *Store) KnowledgeTip(ctx context.Context) (string, error) {
	// The git that reads items says it in 0.5 ms, one of its own in 3.
	if !s.where.plain && !s.isAmbiguous(KnowledgeRef) {
		if o, err := s.batch.Get(KnowledgeRef); err == nil && o.Type == "commit" {
			return o.ID, ctx.Err()
		}
	}
	return s.tip(ctx, KnowledgeRef) // which knows a ref that is broken from one that is not there
}

// isAmbiguous reports whether git would find something else by the name of a ref that is
// not there.
func (s *Store) isAmbiguous(name string) bool {
	for _, rule := range []string{"refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"} {
		if _, err := s.batch.Get(fmt.Sprintf(rule, name)); !errors.Is(err, git.ErrMissing) {
			return true
		}
	}
	return false
}

// errGone says that a tree names what git does not have.
var errGone = errors.New("it is missing from git; run 'git sage fsck'")

// knowledge is a name of the knowledge tree's commit that cannot mean another: its id, or
// one that nothing has. Of a ref that is broken git shall say so.
func (s *Store) knowledge() string {
	id, err := s.KnowledgeTip(context.Background())
	if err != nil {
		return KnowledgeRef
	}
	return cmp.Or(id, s.objects.Zero())
}

func isItemFile(e treeEntry) bool { return e.mode == modeFile && strings.HasSuffix(e.name, ".md") }

func (s *Store) folder(name string) ([]treeEntry, error) {
	o, err := s.object(name)
	if err == nil && o.Type != "tree" {
		err = git.ErrMissing
	}
	if err != nil {
		return nil, err
	}
	return parseTree(o.Data, s.idSize()), nil
}

// readItems reads the items in files: git writes them one after the other, and they
// are taken apart side by side, which of 10,000 takes 23 µs of a processor each.
func (s *Store) readItems(ctx context.Context, files []treeEntry) ([]ItemEntry, error) {
	if len(files) == 0 {
		return nil, ctx.Err()
	}
	out, i := make([]ItemEntry, len(files)), 0
	sums := tallies{}
	var parsers sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	err := s.eachItem(files, func(f treeEntry, o git.Object, err error) {
		e := &out[i]
		i++
		if ctx.Err() != nil {
			return // nobody waits any more; the rest is only taken off the pipe
		}
		if err == nil {
			err = sums.add(f.name, len(o.Data))
		}
		if err != nil {
			key := itemKey(f.name)
			*e = ItemEntry{Key: key, Item: &sage.Item{ID: path.Base(key)}, Blob: f.id, Path: f.name, Err: fmt.Errorf("read item '%s': %w", sage.OneLine(key), err)}
			return
		}
		free <- struct{}{}
		parsers.Go(func() { *e = readItem(f.name, o); <-free })
	})
	parsers.Wait()
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	return out, nil
}

// eachItem calls fn with what each file holds, or why that cannot be read.
func (s *Store) eachItem(files []treeEntry, fn func(treeEntry, git.Object, error)) error {
	ids := make([]string, len(files))
	for i, f := range files {
		ids[i] = f.id
	}
	i := 0
	err := s.eachObject(ids, func(_ string, o git.Object, err error) { fn(files[i], o, err); i++ })
	if err != nil {
		return fmt.Errorf("read items: %w", s.leftOut(err))
	}
	return nil
}

// ItemsSince lists what has changed since the knowledge tree was at old ("" is
// empty), which items are gone since, by id, and where it is now: what derives from
// items catches up by it; one of this user's own that somebody else removed has changed.
// It looks into folders that differ only. An old that is no
// longer there (a gc, a purge) is ErrNotFound: begin anew, then, with "".
func (s *Store) ItemsSince(ctx context.Context, old string) (changed []ItemEntry, removed []string, tip string, err error) {
	if err = s.mayRead(s.knowledge()); err != nil {
		return nil, nil, "", err
	}
	if tip, err = s.KnowledgeTip(ctx); err != nil || tip == old {
		return nil, nil, tip, err
	}
	was, err := s.shards(old)
	if err != nil {
		return nil, nil, "", err
	}
	now, err := s.shards(tip)
	if err != nil {
		return nil, nil, "", err
	}
	files, removed, err := s.changedItems(was, now)
	if err == nil {
		changed, err = s.readItems(ctx, files)
	}
	changed = s.allAsLeft(changed)
	if err == nil {
		var at []treeEntry
		if at, err = s.removalsSince(old, files, removed); err == nil {
			var gone []ItemEntry
			gone, err = s.removedItems(ctx, at)
			changed = append(changed, gone...)
		}
	}
	return changed, s.reallyGone(tip, removed, changed), tip, err
}

// reallyGone are those of keys that are nowhere now: an item may have been moved to
// its place.
func (s *Store) reallyGone(tip string, keys []string, changed []ItemEntry) []string {
	there := map[string]bool{}
	for _, e := range changed {
		there[e.Key] = true
	}
	return slices.DeleteFunc(keys, func(key string) bool {
		if there[key] || tip == "" {
			return there[key]
		}
		_, err := s.itemAt(tip, key)
		return err == nil
	})
}
