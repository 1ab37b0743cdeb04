package knowledge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/threeway"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/diff"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sage/validate"
)

// An editSession is where items are changed, in one state of the knowledge.
type editSession struct {
	s        *Collection
	tip      string
	slots    map[string]*itemEdit
	order    []string // ids, as they were taken up
	redacted []redact.Finding
	warnings []remedy.Note
	dangling []DanglingLink
}

// An itemEdit is an item of the session.
type itemEdit struct {
	key      string
	path     string // where it lies; "" if it is not there
	blob     string
	data     []byte     // what lies there
	was, now *sage.Item // nil: there is none
	sent     *sage.Item // what somebody elsewhere made of was, which is shown as its user left it
	unread   error      // why data cannot be read
	asked    bool       // and not only touched by the change of another
	nobodys  bool       // see ItemChange.Unconfirmed
	whole    bool       // see ItemChange.Whole
	put      bool       // it is given as a whole, and stands so
	gone     bool       // somebody elsewhere removed it, and it counts as its user left it
	merged   bool
	text     []byte // what now is written as
}

func (sl *itemEdit) changed() bool { return sl.text != nil || sl.now == nil && sl.data != nil }

// take takes an item into the session.
func (b *editSession) take(key string) (*itemEdit, error) {
	if sl := b.slots[key]; sl != nil {
		return sl, nil
	}
	sl := &itemEdit{key: key}
	if err := b.look(sl, b.s.itemAt); err != nil {
		return nil, err
	}
	b.lookLeft(sl)
	b.slots[key] = sl
	b.order = append(b.order, key)
	return sl, nil
}

// look reads what is there under a key.
func (b *editSession) look(sl *itemEdit, item func(at, key string) (ItemEntry, error)) error {
	if b.tip == "" {
		return nil
	}
	e, err := item(b.tip, sl.key)
	if errors.Is(err, repo.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	o, err := b.s.repo.Batch.Get(e.Blob)
	sl.blob, sl.path, sl.data, sl.unread = e.Blob, e.Path, o.Data, e.Err
	if !IsInPlace(sl.path) { // it goes to its place
		var it *sage.Item
		if it, sl.unread = codec.ParseItem(o.Data); sl.unread == nil {
			e.Item = it
			e.Item.ID = path.Base(sl.key)
		}
	}
	if sl.unread == nil {
		sl.was, sl.now = e.Item, e.Item.Clone()
		if e, _ = b.s.asLeft(b.s.ownership.Versions(), e); e.IsAsLeft() { // a change is made on what is shown
			sl.was, sl.now, sl.sent = e.Item, e.Item.Clone(), e.Sent()
			if sl.sent.IsPrivate() { // it was said here, by a version that keeps no list
				sl.now.SetPrivate(true)
			}
		}
	}
	return err
}

// asSent has an item be what somebody elsewhere made of it, for who had that before them.
func (sl *itemEdit) asSent() {
	if sl.sent != nil {
		sl.was, sl.now, sl.sent = sl.sent, sl.sent.Clone(), nil
	}
}

// lookLeft reads what is no longer there under a key, and counts as its user left it.
func (b *editSession) lookLeft(sl *itemEdit) {
	if b.tip == "" || sl.data != nil {
		return
	}
	if e, ok := b.s.removedItem(context.Background(), sl.key); ok {
		sl.gone, sl.blob, sl.was, sl.now = true, e.Blob, e.Item, e.Item.Clone()
	}
}

// work does all changes and returns the files that are other than they were.
func (b *editSession) work(changes []ItemChange) (map[string][]byte, error) {
	for _, c := range changes {
		key := c.Key
		if key == "" && c.Item != nil {
			key = c.Item.ID
		}
		if err := b.change(key, c); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(b.follow(), b.keepTexts()); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, key := range b.order {
		sl := b.slots[key]
		b.finish(sl)
		if sl.changed() {
			if sl.path != "" {
				files[sl.path] = nil
			}
			if sl.text != nil {
				files[sl.place()] = sl.text
			}
		}
	}
	if err := b.mayMove(); err != nil {
		return nil, err
	}
	b.s.markForgotten(files)
	return files, b.missing()
}

// markForgotten leaves a mark of each private item that is removed and not shared: else what it
// said before it was private would leave with a shared one that is saved under its id.
func (kn *Collection) markForgotten(files map[string][]byte) {
	for file, b := range maps.Clone(files) {
		if shared := contents.Public(file); b == nil && contents.IsPrivate(file) && files[shared] == nil {
			files[rewritten.PrivatePurgedDir+"/"+kn.rewritten.PrivateMark(shared)] = []byte{}
		}
	}
}

// place is where an item is to lie.
func (sl *itemEdit) place() string { return PlaceOf(sl.key, sl.now) }

// wasPrivate reports whether an item stayed in this clone so far.
func (sl *itemEdit) wasPrivate() bool { return contents.IsPrivate(sl.path) }

// moves reports whether an item goes from one half of the knowledge to the other.
func (sl *itemEdit) moves() bool {
	return sl.path != "" && sl.now != nil && sl.now.IsPrivate() != sl.wasPrivate()
}

// keepTexts has the texts of a private skill stay in this clone: each that is saved, and those
// that others have where the skill is. Whoever lets the skill leave lets out none of them.
func (b *editSession) keepTexts() error {
	for _, key := range slices.Clone(b.order) {
		sl := b.slots[key]
		if sl.now == nil || sl.unread != nil {
			continue
		}
		switch shelfType(key) {
		case sage.Doc:
			skill, err := b.take(path.Dir(key))
			switch {
			case err != nil:
				return err
			case !skill.now.IsPrivate():
			case sl.moves() && sl.wasPrivate():
				return fmt.Errorf("%s is a text of a private skill: let that leave first", ItemName(key))
			case !sl.now.IsPrivate():
				sl.now.SetPrivate(true)
			}
		case sage.Skill:
			if !sl.asked || !sl.now.IsPrivate() {
				continue
			}
			files, err := b.s.contents.Files(context.Background(), key)
			if err != nil {
				return err
			}
			for _, file := range files {
				doc, err := b.take(ItemKey(file))
				if err != nil {
					return err
				}
				if doc.now != nil && doc.unread == nil {
					doc.now.SetPrivate(true)
				}
			}
		}
	}
	return nil
}

// mayMove refuses what would let something private leave: an agent that lets an item go, and an
// item for others that names one they must not know of. What moves moves one way in one change: see
// the order in which git moves refs, in package contents.
func (b *editSession) mayMove() error {
	in, out := "", ""
	for _, key := range b.order {
		sl := b.slots[key]
		if sl.text == nil || !sl.moves() {
			continue
		}
		if sl.wasPrivate() {
			if _, err := b.s.contents.FileAt(b.tip, ItemPath(key)); !errors.Is(err, git.ErrMissing) {
				return fmt.Errorf("%s is private, and there is a shared one of that id: save it under another", ItemName(key))
			}
			out = key
		} else {
			in = key
			n := remedy.Notef("%s: what it said before stays in the history of what is shared", ItemName(key))
			n.Remedies = []remedy.Remedy{remedy.PurgePast.On(sl.path).To("takes that out")}
			b.warnings = append(b.warnings, n)
		}
	}
	switch {
	case out != "" && !b.s.repo.Options.Person:
		return fmt.Errorf("%s is private: %w", ItemName(out), repo.ErrNoSharing)
	case in != "" && out != "":
		return fmt.Errorf("%s is to become private and %s to be shared: change one after the other", ItemName(in), ItemName(out))
	}
	return nil
}

func (b *editSession) change(key string, c ItemChange) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	sl, err := b.take(key)
	if err != nil {
		return err
	}
	sl.asked, sl.nobodys, sl.whole = true, c.Unconfirmed, c.Whole
	if sl.data == nil && !sl.gone && (c.Remove || c.Edit != nil) {
		if err := b.look(sl, b.s.itemAnywhere); err != nil {
			return err
		}
	}
	switch there := sl.now != nil || sl.unread != nil && sl.data != nil; {
	case c.Seen != "" && there && c.Seen != sl.blob:
		return fmt.Errorf("%s: %w", ItemName(key), repo.ErrChanged)
	case c.Remove && sl.gone && !b.s.repo.Options.Person: // it would confirm what somebody else did
		return repo.ErrNoPerson
	case c.Remove && there:
		if sl.wasPrivate() && b.s.contents.HasFile(b.tip, ItemPath(key)) {
			b.warnings = append(b.warnings, remedy.Notef("%s: the shared one of that id counts again", ItemName(key)))
		}
		sl.now, sl.unread = nil, nil
		return nil
	case c.Remove, c.Edit != nil && !there:
		return &NoItemError{ID: key}
	case c.Edit != nil:
		return b.edit(sl, c.Edit)
	case c.Item == nil:
		return fmt.Errorf("item '%s': nothing to save", key)
	case c.Base != "" && c.Base != sl.blob:
		if v := b.s.ownership.Versions(); v == nil || !v.Lists(ownership.Version{Blob: c.Base, Key: key}) {
			sl.asSent()
		}
		return b.merge(sl, c)
	case c.Base == "" && !c.Replace && there:
		return fmt.Errorf("%s %w", ItemName(key), repo.ErrExists)
	case c.Base != "":
		sl.asSent()
	}
	return b.put(sl, c)
}

func (b *editSession) edit(sl *itemEdit, edit func(*sage.Item) error) error {
	if sl.unread != nil {
		return sl.unread
	}
	it := sl.now.Clone()
	if err := edit(it); err != nil {
		return err
	}
	if sl.sent != nil && len(merge.Conflicts(sl.sent)) > 0 && bytes.Equal(codec.MarshalItem(it), codec.MarshalItem(sl.now)) { // it settles what was sent
		sl.asSent()
		return b.edit(sl, edit)
	}
	sl.now = it
	return b.cleanse(sl)
}

// put gives an item what it is to be.
func (b *editSession) put(sl *itemEdit, c ItemChange) error {
	it := c.Item.Clone()
	if c.Replace && sl.now != nil {
		for _, x := range sl.now.Extra {
			if !slices.ContainsFunc(it.Extra, func(y sage.Entry) bool { return x.Key == y.Key }) {
				it.Extra = append(it.Extra, x)
			}
		}
		b.keepStanding(sl.now, it)
	}
	sl.now, sl.unread, sl.put = it, nil, true
	return b.cleanse(sl)
}

// keepStanding gives an item that takes the place of another its links, if it has none,
// and says what becomes of one that did not count any more.
func (b *editSession) keepStanding(was, it *sage.Item) {
	if len(it.Links) == 0 {
		it.Links = slices.Clone(was.Links)
	}
	switch {
	case it.Status != "":
	case was.Status == sage.Superseded: // which the link of another says
		it.Status, it.Replacement = was.Status, was.Replacement
		b.warnings = append(b.warnings, remedy.Notef("item '%s': superseded by '%s', so it is not recalled", was.ID, legible.OneLine(was.Replacement)))
	case was.Status == sage.Archived, was.Status == sage.Deprecated, was.Status == sage.Done:
		b.warnings = append(b.warnings, remedy.Notef("item '%s': it was %s and is active again", was.ID, was.Status))
	}
}

// merge brings what was made of an older version together with what is there.
func (b *editSession) merge(sl *itemEdit, c ItemChange) error {
	o, err := b.s.repo.Batch.Get(c.Base)
	if err != nil || o.Type != "blob" {
		return fmt.Errorf("item '%s': its base version %s is missing", sl.key, record.Short(c.Base))
	}
	mine := &itemEdit{key: sl.key, now: c.Item.Clone()}
	if err := b.cleanse(mine); err != nil {
		return err
	}
	base, private := b.s.published(ReadItem(ItemPath(sl.key), o))[0], mine.now.IsPrivate()
	if was := base.Item; base.Err == nil {
		mine.now.Added, private = was.Added, was.IsPrivate()
		if bytes.Equal(codec.MarshalItem(mine.now), codec.MarshalItem(was)) {
			return nil // nothing was made of it
		}
	}
	if private && sl.path != "" && !sl.wasPrivate() { // what it said then stays here
		return fmt.Errorf("%s was private, and is shared now: save this under another id", ItemName(sl.key))
	}
	mine.now.Updated = b.now()
	theirs := threeway.Version{Tip: contents.Half(b.tip, sl.path)}
	if sl.now != nil || sl.unread != nil {
		theirs.Content = sl.data
		if sl.unread == nil && (sl.sent != nil || !sl.same()) {
			theirs.Content = codec.MarshalItem(sl.now)
		}
	}
	r := threeway.Merge(ItemPath(sl.key), o.Data, []threeway.Version{theirs, {Content: codec.MarshalItem(mine.now)}})
	if sl.now, err = codec.ParseItem(r.Content); err != nil {
		return fmt.Errorf("merge item '%s': %w", sl.key, err)
	}
	if !sl.wasPrivate() && !mine.now.IsPrivate() { // see published
		sl.now.SetPrivate(false)
	}
	sl.now.ID, sl.unread, sl.merged = path.Base(sl.key), nil, true
	return nil
}

// same reports whether nothing was made of an item yet.
func (sl *itemEdit) same() bool {
	return sl.was != nil && sl.now != nil && bytes.Equal(codec.MarshalItem(sl.was), codec.MarshalItem(sl.now))
}

// cleanse puts an item into its stored form, takes secrets out and refuses what is
// wrong with it, if it was not wrong before.
func (b *editSession) cleanse(sl *itemEdit) error {
	it := sl.now
	it.ID = path.Base(sl.key)
	if t := shelfType(sl.key); t != "" {
		it.Type = t
	}
	it.Tidy()
	var before []sage.CodeRef
	if sl.was != nil {
		before = sl.was.CodeRefs
	}
	refs, err := b.s.repo.TakeRefs(it.CodeRefs, before)
	if err != nil {
		return fmt.Errorf("item '%s': %w", sl.key, err)
	}
	it.CodeRefs = refs
	if shelfType(sl.key) == "" && slices.Contains([]sage.ItemType{sage.Note, sage.Skill, sage.Doc}, it.Type) {
		return fmt.Errorf("item '%s': %w", sl.key, validate.Problem(fmt.Sprintf("type: want one of %s, have '%s'", strings.Join(sage.Kinds(), ", "), it.Type)))
	}
	found, tells, err := b.s.repo.Options.Redact.Named(it, sl.key)
	if err != nil {
		return fmt.Errorf("look for secrets: %w; nothing was saved", err)
	}
	_, secrets, err := b.s.repo.Options.Redact.Text(sl.key)
	if err != nil || len(secrets) > 0 || tells && sl.was == nil {
		return fmt.Errorf("item '%s': %w: the id looks like a secret; choose another", sl.key, errors.Join(err, refname.ErrName))
	}
	b.redacted = redact.Merge(b.redacted, found)
	if err := newProblems(sl.was, it); err != nil {
		return fmt.Errorf("item '%s': %w", sl.key, err)
	}
	return nil
}

// newProblems are what is wrong with an item and was not before.
func newProblems(was, now *sage.Item) error {
	err := validate.Item(now)
	if err == nil || was == nil {
		return err
	}
	old := map[string]bool{}
	if err := validate.Item(was); err != nil {
		for l := range strings.SplitSeq(err.Error(), "\n") {
			old[l] = true
		}
	}
	var errs []error
	for l := range strings.SplitSeq(err.Error(), "\n") {
		if !old[l] {
			errs = append(errs, validate.Problem(l))
		}
	}
	return errors.Join(errs...)
}

func (b *editSession) now() time.Time { return b.s.repo.Options.Now().UTC().Truncate(time.Second) }

// finish dates an item that changed, and prints it.
func (b *editSession) finish(sl *itemEdit) {
	moves := sl.path != "" && sl.now != nil && sl.path != sl.place()
	stays := func() bool { return sl.same() && !moves && !(sl.gone && sl.asked) && !(sl.sent != nil && sl.put) }
	if sl.now == nil || sl.unread != nil || stays() {
		return
	}
	now := b.now()
	if sl.was != nil {
		sl.now.Added = sl.was.Added
		if sl.now.Updated = sl.was.Updated; stays() {
			return
		}
		sl.now.Updated = now
	}
	if sl.now.Added.IsZero() {
		sl.now.Added = now
	}
	if sl.now.Updated.IsZero() {
		sl.now.Updated = sl.now.Added
	}
	sl.text = codec.MarshalItem(sl.now)
}

// follow does what follows for items that others supersede, or no longer do.
func (b *editSession) follow() error {
	for _, id := range slices.Clone(b.order) {
		sl := b.slots[id]
		was, now := superseded(sl.was), superseded(sl.now)
		for _, to := range now {
			if slices.Contains(was, to) {
				continue
			}
			if err := b.supersede(sl, to); err != nil {
				return err
			}
		}
		for _, to := range was {
			if !slices.Contains(now, to) {
				if err := b.restore(id, to); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func superseded(it *sage.Item) (ids []string) {
	if it == nil {
		return nil
	}
	for _, l := range it.Links {
		if l.Kind == sage.Supersedes {
			ids = append(ids, l.To)
		}
	}
	return ids
}

func (b *editSession) supersede(sl *itemEdit, to string) error {
	other, err := b.takeLinked(to)
	if err != nil || other == nil {
		return err
	}
	if circle, err := b.supersedes(other.now, sl.key, map[string]bool{to: true}); err != nil {
		return err
	} else if circle {
		return fmt.Errorf("item '%s': cannot supersede '%s', which supersedes it", sl.key, to)
	}
	if sl.nobodys && other.was != nil && b.s.IsOwnItem(ItemEntry{Key: to, Item: other.was, Blob: other.blob, Path: cmp.Or(other.path, ItemPath(to))}) {
		return nil // what nobody here stands for ends nothing of theirs; its link says so when somebody does
	}
	switch other.now.Status {
	case sage.Active, sage.Pending, sage.Done:
		other.now.Status = sage.Superseded
		other.now.Replacement = cmp.Or(other.now.Replacement, sl.key)
	}
	return nil
}

// supersedes says whether an item takes the place of another, or of one that does, and
// so on: of a circle nothing would be left that counts. Those that were seen, as in a
// circle that a merge made, are not looked at again.
func (b *editSession) supersedes(it *sage.Item, key string, seen map[string]bool) (bool, error) {
	for _, to := range superseded(it) {
		if to == key {
			return true, nil
		}
		if seen[to] {
			continue
		}
		seen[to] = true
		other, err := b.takeLinked(to)
		if err != nil {
			return false, err
		}
		if other == nil {
			continue
		}
		if found, err := b.supersedes(other.now, key, seen); found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// restore gives an item its status back that is no longer superseded by id.
func (b *editSession) restore(id, to string) error {
	other, err := b.takeLinked(to)
	if err != nil || other == nil || other.now.Status != sage.Superseded || other.now.Replacement != id {
		return err
	}
	other.now.Status, other.now.Replacement = "", ""
	other.now.Tidy()
	return nil
}

// takeLinked takes up an item that another is linked to, if it is there and can be
// read.
func (b *editSession) takeLinked(id string) (*itemEdit, error) {
	if refname.CheckName(id) != nil {
		return nil, nil
	}
	sl, err := b.take(id)
	if err != nil || sl.now == nil || sl.unread != nil {
		return nil, err
	}
	return sl, nil
}

// missing notes the links that lead nowhere in this store, and refuses those by which something
// private would be told of, or decide what others have.
func (b *editSession) missing() error {
	for _, id := range slices.Clone(b.order) {
		sl := b.slots[id]
		if sl.text == nil {
			continue
		}
		for _, l := range linksOf(sl.now) {
			other, err := b.takeLinked(l.To)
			switch {
			case err != nil:
				return err
			case other == nil:
				b.dangling = append(b.dangling, DanglingLink{id, l})
			case sl.now.IsPrivate():
				if !other.now.IsPrivate() && l.Kind == sage.Supersedes {
					return fmt.Errorf("item '%s' is private and cannot supersede '%s', which is not: link it with contradicts or extends", id, l.To)
				}
			case other.now.IsPrivate() && !sl.wasPrivate() && !(sl.was != nil && slices.Contains(linksOf(sl.was), l)):
				return fmt.Errorf("item '%s' is private: '%s', which is not, cannot link to it", l.To, id)
			case other.now.IsPrivate() && sl.wasPrivate():
				return fmt.Errorf("item '%s' links to '%s', which is private: remove that link first", id, l.To)
			}
		}
	}
	return nil
}

// disagree are the files that a merge here left for a person to settle.
func (b *editSession) disagree() (paths []string) {
	for _, key := range b.order {
		if sl := b.slots[key]; sl.merged && sl.text != nil && len(merge.Conflicts(sl.now)) > 0 {
			paths = append(paths, sl.place())
		}
	}
	return paths
}

func (b *editSession) saved() ItemsSaved {
	out := ItemsSaved{Redacted: b.redacted, Warnings: b.warnings, Dangling: b.dangling}
	for _, key := range b.order {
		switch sl := b.slots[key]; {
		case sl.text != nil:
			e := ItemEntry{Key: key, Item: sl.now, Path: sl.place(), Blob: b.s.repo.Objects.New("blob", sl.text).ID}
			out.Items = append(out.Items, e)
			if dropped := sl.dropped(); dropped.Text != "" {
				out.Warnings = append(out.Warnings, dropped)
			}
			if len(merge.Conflicts(sl.now)) > 0 {
				out.Conflicts = append(out.Conflicts, key)
			}
		case sl.changed() || sl.gone && sl.now == nil:
			out.Removed = append(out.Removed, key)
		}
	}
	return out
}

// dropped tells which change of somebody elsewhere an item does not have any more, the zero note if none:
// it was changed as its user left it.
func (sl *itemEdit) dropped() (n remedy.Note) {
	if sl.sent == nil {
		return n
	}
	var fields []string
	for _, f := range diff.Items(sl.was, sl.sent).Fields {
		fields = append(fields, f.Key)
	}
	if len(fields) == 0 {
		fields = []string{"its time"}
	}
	n = remedy.Notef("%s: overwrote another change: %s", ItemName(sl.key), legible.OneLine(strings.Join(fields, ", ")))
	n.Remedies = []remedy.Remedy{remedy.ListActions.On().To("restores it")}
	return n
}
