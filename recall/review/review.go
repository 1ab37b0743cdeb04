package review

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/similarity"
	"github.com/git-sage/git-sage/recall/suspect"
)

// What waits for a review.
const (
	WaitsCheckpoint = "checkpoint" // nobody here stands for it
	WaitsItem       = "item"       // the same of an item, a pinned note or a skill
	WaitsCore       = "core"       // the same of a core file
	WaitsConflict   = "conflict"   // an item holds versions that disagree, of a merge or of who forged one
	WaitsRepeat     = "repeat"     // two items say the same
	WaitsDiffer     = "differ"     // two items say it with a difference: both can hardly hold
	WaitsOpposes    = "opposes"    // two checkpoints of two people that nobody brought together
	WaitsUnused     = "unused"     // no session was ever given the item
)

// A Waiting is something that its user has not judged yet.
type Waiting struct {
	Kind    string
	Record  gitstore.Record   // of a checkpoint
	Line    string            // that holds it; "" is the current one
	Item    knowledge.Known   // of an item; of two the newer
	Other   knowledge.Known   // the older of two
	By      string            // of an item, who wrote or changed it, as of [provenance.Labeller.Foreign]
	Differs string            // in what those differ, as of a [similarity.Near]
	Core    gitstore.CoreFile // of a core file
	Opposed similarity.Opposed

	sum string // as which it is noted when it is kept as it is
}

// WaitingCount counts what nobody here stands for.
type WaitingCount struct {
	Checkpoints int
	Items       int
}

// CountWaiting counts, for who only wants to know how much there is, what
// [Reviewer.Waiting] lists but for what it compares.
func (rv *Reviewer) CountWaiting(ctx context.Context) (n WaitingCount, err error) {
	ids, err := rv.stores.Store.Review.Unconfirmed(ctx)
	if err != nil {
		return n, err
	}
	keys, err := rv.stores.Store.Knowledge.UnconfirmedItems(ctx)
	if err != nil {
		return n, err
	}
	if keys, err = rv.notRefused(ctx, keys); err != nil {
		return n, err
	}
	core, err := rv.unconfirmedCore(ctx)
	return WaitingCount{len(ids), len(keys) + len(core)}, err
}

// Waiting lists what waits for a review: checkpoints, newest first, then items, by their authors,
// and core files, for which nobody here stands; items in conflict; items that say nearly the same,
// or contradict each other; checkpoints of two people that do; items that no session was given in
// a month. reading and left, which may be nil, are told how many checkpoints are still to be read,
// and then how many items compared. What is withheld from whoever asks says nothing but that.
func (rv *Reviewer) Waiting(ctx context.Context, reading, left func(int)) (out []Waiting, err error) {
	for _, list := range []func(context.Context) ([]Waiting, error){
		func(ctx context.Context) ([]Waiting, error) { return rv.waitingCheckpoints(ctx, reading) }, rv.unconfirmedItems, rv.unconfirmedCore, rv.conflicts,
		func(ctx context.Context) ([]Waiting, error) { return rv.waitingPairs(ctx, left) },
		rv.opposing, rv.waitingUnused,
	} {
		more, err := list(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	reviewed, err := rv.stores.Store.Review.Reviewed()
	return rv.admitted(ctx, slices.DeleteFunc(out, func(w Waiting) bool { return w.sum != "" && reviewed[w.sum] })), err
}

// admitted is a list as whoever asks may see it, see [provenance.Labeller.Admit].
func (rv *Reviewer) admitted(ctx context.Context, list []Waiting) []Waiting {
	var at []*knowledge.Known
	for i := range list {
		w := &list[i]
		w.Record = rv.provenance.Admitted(w.Record)
		for _, h := range []*similarity.Held{&w.Opposed.Newer, &w.Opposed.Older} {
			h.Thesis = rv.provenance.AdmittedText(h.Mine, h.Thesis)
		}
		if rv.provenance.WithholdsCore(w.Core) {
			w.Core.Summary = provenance.Suspect
		}
		for _, k := range []*knowledge.Known{&w.Item, &w.Other} {
			if k.Item != nil {
				at = append(at, k)
			}
		}
	}
	for i, k := range rv.provenance.Admit(ctx, lists.Map(at, func(k *knowledge.Known) knowledge.Known { return *k })) {
		*at[i] = k
	}
	return list
}

func (rv *Reviewer) waitingCheckpoints(ctx context.Context, reading func(int)) (out []Waiting, err error) {
	ids, err := rv.stores.Store.Review.Unconfirmed(ctx)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	spots, err := rv.stores.Store.Commits.Spots(ctx, gitstore.Query{All: true})
	if err != nil {
		return nil, err
	}
	records, err := rv.stores.Store.Commits.Records(ctx, ids)
	if err != nil {
		return nil, err
	}
	err = rv.stores.Store.Commits.Beginnings(ctx, records, func(r gitstore.Record, c *sage.Checkpoint, err error) error {
		if err == nil { // what agents are given, whatever the commit says of it
			r.Description, r.Thesis, r.Question = sage.Describe(c, c.MessageCount), c.Thesis, c.CoreQuestion
		}
		out = append(out, Waiting{Kind: WaitsCheckpoint, Record: r, Line: spots[r.ID].Line})
		if reading != nil {
			reading(len(records) - len(out))
		}
		return nil
	})
	return out, err
}

// conflicts are the items that hold versions which disagree, but for those that are listed
// with what somebody elsewhere changed of them.
func (rv *Reviewer) conflicts(ctx context.Context) (out []Waiting, err error) {
	files := rv.stores.Store.Knowledge.Disagreeing(ctx)
	if len(files) == 0 {
		return nil, nil
	}
	listed, err := rv.stores.Store.Knowledge.UnconfirmedItems(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		key, isItem := gitstore.ItemKeyOf(f)
		if !isItem || slices.Contains(listed, key) {
			continue
		}
		e, err := rv.stores.Store.Knowledge.Item(ctx, key)
		if errors.Is(err, gitstore.ErrNotFound) { // settled or gone meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Waiting{Kind: WaitsConflict, Item: knowledge.Known{ItemEntry: e}})
	}
	return out, nil
}

// unconfirmedItems are the items, pinned notes and skills of the repository for which nobody
// here stands. Those in conflict are apart, see conflicts.
func (rv *Reviewer) unconfirmedItems(ctx context.Context) (out []Waiting, err error) {
	keys, err := rv.stores.Store.Knowledge.UnconfirmedItems(ctx)
	if err != nil {
		return nil, err
	}
	list, err := rv.itemsNamed(ctx, keys)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if k := (knowledge.Known{ItemEntry: e}); !rv.provenance.IsRefused(k) {
			out = append(out, Waiting{Kind: WaitsItem, Item: k})
		}
	}
	by := rv.provenance.Foreign(ctx, legible.Each(out, func(w Waiting) knowledge.Known { return w.Item }))
	for i, w := range out {
		out[i].By = by[w.Item.Key]
	}
	slices.SortStableFunc(out, func(a, b Waiting) int { return strings.Compare(a.By, b.By) })
	return out, nil
}

// manyItems is from how many on all items are read to find some of them: to read one by its key
// takes as long as ten among all.
const manyItems = 200

// itemsNamed are the items with these keys, in their order.
func (rv *Reviewer) itemsNamed(ctx context.Context, keys []string) ([]gitstore.ItemEntry, error) {
	read := map[string]gitstore.ItemEntry{}
	if len(keys) >= manyItems {
		all, err := rv.stores.Store.Knowledge.Items(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			read[e.Key] = e
		}
	}
	out := make([]gitstore.ItemEntry, 0, len(keys))
	for _, key := range keys {
		e, ok := read[key]
		if !ok { // a pinned note or a skill, where all items were read
			var err error
			if e, err = rv.stores.Store.Knowledge.Item(ctx, key); err != nil {
				return nil, err
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// notRefused leaves out the keys of what the user refused.
func (rv *Reviewer) notRefused(ctx context.Context, keys []string) ([]string, error) {
	list, err := rv.provenance.Refusals(ctx)
	if err != nil || len(list) == 0 {
		return keys, err
	}
	return slices.DeleteFunc(keys, func(key string) bool {
		e, err := rv.stores.Store.Knowledge.Item(ctx, key)
		return err == nil && rv.provenance.IsRefused(knowledge.Known{ItemEntry: e})
	}), nil
}

// unconfirmedCore are the core files for which nobody here stands.
func (rv *Reviewer) unconfirmedCore(ctx context.Context) (out []Waiting, err error) {
	files, err := rv.stores.Store.Knowledge.CoreFiles(ctx)
	for _, f := range files {
		if !f.Own && !f.Conflict {
			out = append(out, Waiting{Kind: WaitsCore, Core: f})
		}
	}
	return out, err
}

const (
	// mostCompared is how many items a review looks for others near to, the newest first: of
	// 10,000 that takes a millisecond each.
	mostCompared = 1000
	// mostWeighed is how much text a review compares, in bytes and a thousand more for each
	// pair: a second or two. Where very many are alike, each is near to all others.
	mostWeighed = 2_000_000
)

// waitingPairs are the items that say nearly what another says, each pair once.
func (rv *Reviewer) waitingPairs(ctx context.Context, left func(int)) (out []Waiting, err error) {
	items, err := rv.knowledge.Items(ctx, knowledge.ItemQuery{Statuses: []sage.Status{"", sage.Active, sage.Pending}})
	if err != nil || len(items) < 2 {
		return nil, err
	}
	l, err := rv.stores.Sources(ctx)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	for _, src := range l {
		if err := src.Ready(ctx, false, false); err != nil {
			return nil, err
		}
		rv.stores.Complain(src.Unread())
	}
	slices.SortFunc(items, func(a, b knowledge.Known) int { return b.AddedAt().Compare(a.AddedAt()) })
	items = items[:min(len(items), mostCompared)]
	seen, weighed := map[string]bool{}, 0
	for i, k := range items {
		if left != nil {
			left(len(items) - i)
		}
		if weighed > mostWeighed { // what is left is not compared
			rv.stores.Complain(fmt.Errorf("%d of %d items have not been compared with others yet: review these first", len(items)-i, len(items)))
			break
		}
		if k.Err != nil {
			continue
		}
		found, err := rv.similarity.NearTo(ctx, l, k.Item, k.Own, &weighed)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			if w := waitingPair(k, n); !seen[w.sum] {
				seen[w.sum] = true
				out = append(out, w)
			}
		}
	}
	return out, nil
}

// waitingPair is an item and one that is near to it.
func waitingPair(k knowledge.Known, n similarity.Near) Waiting {
	w := Waiting{Kind: WaitsRepeat, Item: k, Other: n.Known, Differs: n.Differs}
	if n.Differs != "" {
		w.Kind = WaitsDiffer
	}
	if cmp.Or(w.Item.AddedAt().Compare(w.Other.AddedAt()), strings.Compare(w.Item.Key, w.Other.Key)) < 0 {
		w.Item, w.Other = w.Other, w.Item
	}
	w.sum = sumOfReview("pair", w.Item, w.Other)
	return w
}

// opposing are the checkpoints of two people that oppose each other. Both are right until
// somebody merges them with one thesis for both, or keeps both.
func (rv *Reviewer) opposing(ctx context.Context) (out []Waiting, err error) {
	list, err := rv.similarity.Opposing(ctx)
	for _, o := range list {
		sum := sha256.Sum256([]byte("opposed\n" + o.Newer.ID + " " + o.Older.ID))
		out = append(out, Waiting{Kind: WaitsOpposes, Opposed: o, Differs: o.How, sum: hex.EncodeToString(sum[:16])})
	}
	return out, err
}

// Opposing are the checkpoints of two people that oppose each other, and that nobody settled or
// kept.
func (rv *Reviewer) Opposing(ctx context.Context) ([]Waiting, error) {
	list, err := rv.opposing(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	reviewed, err := rv.stores.Store.Review.Reviewed()
	return rv.admitted(ctx, slices.DeleteFunc(list, func(w Waiting) bool { return reviewed[w.sum] })), err
}

// unusedFor is how long an item must be there, and what is recalled known, for it to be
// told as never recalled.
const unusedFor = 30 * 24 * time.Hour

// waitingUnused are the items that no session was given since they are there. Todos are
// told elsewhere, and what goes with every prompt is given to all.
func (rv *Reviewer) waitingUnused(ctx context.Context) (out []Waiting, err error) {
	since, before := rv.stores.Store.Session.RecallsKnownSince(), rv.stores.Now().Add(-unusedFor)
	if since.IsZero() || since.After(before) {
		return nil, nil
	}
	items, err := rv.knowledge.Items(ctx, knowledge.ItemQuery{Statuses: []sage.Status{"", sage.Active}})
	for _, k := range items {
		if k.Err != nil || k.Own || k.Item.Type == sage.Todo || k.Item.Scope.Always || k.Item.Added.After(before) || !rv.provenance.IsConfirmed(k) {
			continue
		}
		if rv.stores.Store.Session.LastRecalled(doc.ItemKey(k.Key)).IsZero() {
			out = append(out, Waiting{Kind: WaitsUnused, Item: k, sum: sumOfReview("unused", k)})
		}
	}
	return out, err
}

// sumOfReview names what was shown of items as they are.
func sumOfReview(what string, items ...knowledge.Known) string {
	h := sha256.New()
	h.Write([]byte(what))
	for _, k := range items {
		h.Write([]byte("\n" + k.Key + " " + k.Blob))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Suspect is what somebody elsewhere wrote that breaks a rule of recall/suspect.
func (rv *Reviewer) Suspect(ctx context.Context, w Waiting) []suspect.Finding {
	switch {
	case w.Kind == WaitsCore:
		return suspect.Find(w.Core.Path + "\n" + w.Core.Summary)
	case w.Kind == WaitsCheckpoint && !w.Record.Own:
		if c, err := rv.stores.Store.Commits.Load(ctx, w.Record.ID); err == nil {
			return provenance.SuspectCheckpoint(c)
		}
	case w.Kind == WaitsItem && len(w.Item.Withheld) > 0: // which it was found for, and says no more
		return lists.Map(w.Item.Withheld, func(rule string) suspect.Finding { return suspect.Finding{Rule: rule} })
	case w.Kind == WaitsItem && w.Item.Err == nil:
		return rv.provenance.Suspect(w.Item, "")
	}
	return nil
}

// StillWaiting returns [gitstore.ErrChanged] unless something is what was listed and waits yet:
// it may be gone, another version may be there, or somebody at another terminal judged it.
func (rv *Reviewer) StillWaiting(ctx context.Context, w Waiting) error {
	rv.provenance.RereadRefusals()
	same, err := true, error(nil)
	switch w.Kind {
	case WaitsCheckpoint: // behind a purge another stands in its place
		var r gitstore.Record
		r, err = rv.stores.Store.Commits.Record(ctx, w.Record.ID)
		same = r.ID == w.Record.ID && r.Counts() && (!r.Own || r.Unconfirmed)
	case WaitsOpposes:
		var now []Waiting
		now, err = rv.Opposing(ctx)
		same = slices.ContainsFunc(now, func(n Waiting) bool { return n.sum == w.sum })
	case WaitsCore:
		var c gitstore.CoreFile
		c, err = rv.stores.Store.Knowledge.CoreFile(ctx, w.Core.Path)
		same = c.Summary == w.Core.Summary && !c.Own
	default:
		same, err = rv.itemsWait(ctx, w)
	}
	if errors.Is(err, gitstore.ErrNotFound) || err == nil && !same {
		return gitstore.ErrChanged
	}
	return err
}

// itemsWait reports whether one or two items are what was listed, and not judged yet.
func (rv *Reviewer) itemsWait(ctx context.Context, w Waiting) (bool, error) {
	if w.sum != "" {
		if reviewed, err := rv.stores.Store.Review.Reviewed(); err != nil || reviewed[w.sum] {
			return false, err
		}
	}
	if w.Kind == WaitsItem {
		e, err := rv.stores.Store.Knowledge.Item(ctx, w.Item.Key) // as it is, also where it was refused since
		now := knowledge.Known{ItemEntry: e}
		if err != nil || now.Changed != nil { // of one that was judged that is nil
			return isSame(now, w.Item), err
		}
		return isSame(now, w.Item) && !rv.provenance.IsConfirmed(now) && !rv.provenance.IsRefused(now), nil
	}
	for _, k := range []knowledge.Known{w.Item, w.Other} {
		if k.Item == nil {
			continue
		}
		if now, err := rv.knowledge.Item(ctx, k.Key); err != nil || !isSame(now, k) {
			return false, err
		}
	}
	return true, nil
}

func isSame(a, b knowledge.Known) bool { return a.Blob == b.Blob && a.IsRemoved() == b.IsRemoved() }
