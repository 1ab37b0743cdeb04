package knowledge

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
)

// IsOwnItem reports whether an item is as this user left it, or they stand for it as it is.
// An older version is their own if they wrote what it says.
func (kn *reader) IsOwnItem(e ItemEntry) bool {
	if e.Err != nil || e.Item == nil || e.Changed != nil {
		return false
	}
	if kn.repo.Options.Global {
		return true
	}
	v := kn.ownership.Versions()
	if v == nil || e.Old {
		return kn.ownership.Vouched(ownership.SumOf(e.Key, e.Item, false))
	}
	_, own := kn.asLeft(v, e)
	return own
}

// own are the sums and versions of what was made in an edit session that this user stands for: of
// what is new, of what was theirs, and of what a person said anew, or had all of before them.
// An agent's change of what came from elsewhere leaves it where it came from; so does
// anybody's change of what somebody else changed, unless it is as it was again. What is shown
// as its user left it is changed so, and stays theirs.
func (b *editSession) own() (sums []string, list []ownership.Version) {
	v := b.s.ownership.Versions()
	for _, key := range b.order {
		sl := b.slots[key]
		if sl.now == nil && (sl.data != nil || sl.gone) && v.There(key) != "" {
			list = append(list, ownership.Version{Blob: b.s.repo.Objects.Zero(), Key: key})
		}
		if sl.now == nil || sl.text == nil || sl.nobodys {
			continue
		}
		if len(merge.Conflicts(sl.now)) > 0 && sl.merged {
			if sl.was != nil && v != nil && v.Of(key) == sl.blob { // of two that are theirs
				list = append(list, ownership.Version{Blob: b.s.repo.Objects.New("blob", sl.text).ID, Key: key})
			}
			continue
		}
		now := ReadItem(PlaceOf(key, sl.now), git.Object{ID: b.s.repo.Objects.New("blob", sl.text).ID, Data: sl.text}) // as others will read it
		isNew := sl.data == nil
		anew := b.s.repo.Options.Person && sl.asked && !sl.merged && (sl.was == nil || ownership.SaysOther(sl.was, sl.now) || sl.whole && v.There(key) != "")
		if isNew || anew || sl.sent != nil || sl.was != nil && b.s.IsOwnItem(ItemEntry{Key: key, Item: sl.was, Blob: sl.blob, Path: cmp.Or(sl.path, ItemPath(key))}) || b.s.IsOwnItem(now) {
			list = append(list, ownership.Version{Blob: now.Blob, Key: key})
		}
		if !isNew && !anew && (sl.was == nil || !b.s.ownership.Vouched(ownership.SumOf(key, sl.was, false))) {
			continue
		}
		always := isNew || anew || !sl.was.Scope.Always || b.s.ownership.Vouched(ownership.SumOf(key, sl.was, true))
		sums = append(sums, ownership.SumsOf(key, now.Item, always)...)
	}
	return sums, list
}

func (kn *Collection) StandFor(ctx context.Context, what string, ids []string, list ...ownership.Version) error {
	if !kn.repo.Options.Person {
		return repo.ErrNoPerson
	}
	if len(ids)+len(list) == 0 {
		return nil
	}
	if why := kn.ownership.Untrusted(); kn.ownership.Word(true) == "" {
		return fmt.Errorf("cannot record confirmations in your home folder: %s", why)
	}
	done := kn.backup.Turn(context.Background())
	defer done()
	if err := kn.AdoptVersions(ctx); err != nil {
		return err
	}
	known, left := kn.ownership.VouchedIDs(), kn.ownership.Versions()
	ids = slices.DeleteFunc(slices.Clone(ids), known.Has)
	list = slices.DeleteFunc(slices.Clone(list), func(v ownership.Version) bool { return left.Of(v.Key) == v.Blob })
	if len(ids)+len(list) == 0 {
		return nil
	}
	l := ConfirmLine{IDs: ids, What: what}
	for _, v := range list {
		l.Steps = append(l.Steps, VersionStep{v.Key, cmp.Or(left.Of(v.Key), kn.repo.Objects.Zero()), v.Blob})
	}
	if err := cmp.Or(kn.ownership.Vouch(ids...), kn.ownership.NoteVersions(list...)); err != nil {
		return err
	}
	return kn.NoteConfirm(l)
}

// EveryItem lists the items of knowledge, pinned notes, skills and their texts, as they are
// in git.
func (kn *reader) EveryItem(ctx context.Context) ([]ItemEntry, error) {
	files, err := kn.EveryItemFile()
	if err != nil {
		return nil, err
	}
	return kn.readItems(ctx, files)
}

// EveryItemFile lists their files.
func (kn *reader) EveryItemFile() ([]gittree.Entry, error) {
	files, err := kn.allItems()
	if err != nil {
		return nil, err
	}
	state := kn.history.State()
	for _, shelf := range []string{contents.SystemDir, contents.SkillsDir, contents.Private(contents.SystemDir), contents.Private(contents.SkillsDir)} {
		at := contents.Half(state, shelf)
		if at == "" {
			continue
		}
		if o, err := kn.repo.Object(at + ":" + shelf); err == nil && o.Type == "tree" {
			files = append(files, kn.below(shelf, gittree.Parse(o.Data, kn.repo.IDSize()), 0)...)
		}
	}
	return oneOfEach(slices.DeleteFunc(files, func(f gittree.Entry) bool { return !contents.IsItemPath(f.Name) })), nil
}
