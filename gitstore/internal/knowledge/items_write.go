package knowledge

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// An ItemChange is what is to become of one item. It is one of these:
//
//   - Item alone adds an item; ErrExists says that there is one of that id.
//   - Item with Replace takes the place of one that is there; unknown keys of that
//     stay, and its links if Item has none. One that is superseded stays so.
//   - Item with Base is what somebody made of the version Base. If another version
//     is there by now the two are merged field by field, as merges of what was
//     fetched are (FORMAT.md): what does not fit together stands beside one another
//     and is a conflict of the item.
//   - Edit changes what is there, whatever it is by now. It may be called again.
//   - Remove removes it.
//
// An item that was there keeps its time of adding.
type ItemChange struct {
	Key     string // "" is Item.ID; see [Collection.Item]
	Item    *sage.Item
	Base    string // blob of the version that Item was made from, see ItemEntry
	Replace bool
	Edit    func(*sage.Item) error
	Remove  bool
	Seen    string // blob of the version that Edit or Remove was decided on; ErrChanged says that another is there

	// Unconfirmed says that a program wrote a new item and nobody stands for it yet: it is
	// shown as what came from elsewhere is, until [confirm.Confirmer.ConfirmItems].
	Unconfirmed bool

	// Whole says that who changed it had all of it before them: of an item that somebody
	// elsewhere changed, a person stands for what they make of it.
	Whole bool
}

// ItemsSaved says what became of some changes of items.
type ItemsSaved struct {
	Commit    string      // "" if nothing had to change
	Items     []ItemEntry // what was written, in the order of the changes, further ones behind
	Removed   []string    // keys
	Redacted  []redact.Finding
	Warnings  []remedy.Note // what a person should know: what counts no longer, no identity, ...
	Dangling  []DanglingLink
	Conflicts []string // keys of those that were written and are in conflict
}

// A DanglingLink is a link of an item to one that is not in its store. It may be in
// another: the person's own, or a repository's.
type DanglingLink struct {
	From string // id
	sage.Link
}

func (l DanglingLink) String() string {
	return fmt.Sprintf("item '%s': no item '%s' (%s)", l.From, legible.OneLine(l.To), legible.OneLine(string(l.Kind)))
}

// WriteItems makes changes of items in one commit, all or none; of items that are private in
// another, so that others never see it. Without a subject
// the commit says what changed: "add knowledge staging-wipe", "mark todo x done",
// "3 items: ...". Secrets are taken out before anything is written.
//
// An item that supersedes another sets the status of that, and when it no longer
// does so, or is gone, sets it back.
//
// What is new is this user's own, and so is what came from elsewhere and a person says
// anew; see [ItemOrigin].
func (kn *Collection) WriteItems(ctx context.Context, subject string, changes ...ItemChange) (ItemsSaved, error) {
	var b *editSession
	out, err := kn.contents.WritePlan(ctx, func(state string) (contents.TreeChange, error) {
		b = &editSession{s: kn, tip: state, slots: map[string]*itemEdit{}}
		files, err := b.work(changes)
		sums, list := b.own()
		return contents.TreeChange{Subject: cmp.Or(subject, b.subject(false), b.subject(true)), Private: cmp.Or(subject, b.subject(true)), Disagree: b.disagree(), Files: files, Sums: sums, Versions: list}, err
	}, contents.Also{})
	if err != nil {
		return ItemsSaved{}, err
	}
	if out.Commit == "" { // who removes what is not there any more confirms that
		if err := kn.confirmRemoved(ctx, b); err != nil {
			return ItemsSaved{}, err
		}
	}
	saved := b.saved()
	saved.Commit, saved.Warnings = out.Commit, append(saved.Warnings, out.Warnings...)
	return saved, nil
}

// confirmRemoved has this user stand for the removal of items that somebody else removed, and
// that they remove now.
func (kn *Collection) confirmRemoved(ctx context.Context, b *editSession) error {
	var names []string
	var list []ownership.Version
	for _, key := range b.order {
		if sl := b.slots[key]; sl.gone && sl.now == nil {
			names, list = append(names, "the removal of "+ItemName(key)), append(list, ownership.Version{Blob: kn.repo.Objects.Zero(), Key: key})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return kn.StandFor(ctx, strings.Join(names, ", "), nil, list...)
}

// subject tells in one line what was done to what is shared, or to what is private: the changes
// that were asked for, and not what followed from them. "" is nothing.
func (b *editSession) subject(private bool) string {
	var acts []string
	touched := false
	for _, key := range b.order {
		sl := b.slots[key]
		was, is := sl.path != "" && sl.wasPrivate() == private, sl.now != nil && sl.now.IsPrivate() == private
		if !sl.changed() || !was && !is {
			continue
		}
		if touched = true; sl.asked {
			acts = append(acts, sl.act())
		}
	}
	switch {
	case !touched:
		return ""
	case len(acts) == 1:
		return acts[0]
	}
	return fmt.Sprintf("%d items: %s", len(acts), strings.Join(acts, ", "))
}

// act says what was done to one item.
func (sl *itemEdit) act() string {
	switch {
	case sl.now == nil && sl.was == nil: // nobody could read it
		return "remove item " + sl.key
	case sl.now == nil:
		return "remove " + sl.called(sl.was)
	case sl.moves() && sl.now.IsPrivate():
		return "make " + sl.called(sl.now) + " private"
	case sl.moves():
		return "share " + sl.called(sl.now)
	case sl.was == nil || sl.gone:
		return "add " + sl.called(sl.now)
	case sl.was.Status == sl.now.Status:
		return "edit " + sl.called(sl.now)
	case sl.now.Status == sage.Archived:
		return "archive " + sl.called(sl.now)
	case sl.now.Status == sage.Deprecated:
		return "deprecate " + sl.called(sl.now)
	}
	return "mark " + sl.called(sl.now) + " " + legible.OneLine(string(sl.now.Status))
}

// called is how a subject names an item: fact staging-wipe, doc privacy/guide.
func (sl *itemEdit) called(it *sage.Item) string {
	name := sl.key
	if _, below, ok := strings.Cut(name, "/"); ok {
		name = below
	}
	return legible.OneLine(it.Type.Kind()) + " " + name
}
