package confirm

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
)

// SaysOwn reports whether what an item says, as it is shown, is what this user said: it is
// their own, or as they left it before somebody else changed it.
func (co *Confirmer) SaysOwn(e knowledge.ItemEntry) bool {
	return e.IsAsLeft() || co.knowledge.IsOwnItem(e)
}

// AlwaysSum names what an item says and that it is to be given with every prompt, "" if
// it is not. [ownership.Ownership.Vouched] tells whether somebody here wants that.
func AlwaysSum(e knowledge.ItemEntry) string {
	if !e.Item.Scope.Always {
		return ""
	}
	return ownership.SumOf(e.Key, e.Item, true)
}

// ConfirmItems has this user stand for items as they were shown. ErrChanged says that
// another version of one is there by now, ErrNoPerson that an agent wants it.
func (co *Confirmer) ConfirmItems(ctx context.Context, shown ...knowledge.ItemEntry) error {
	var sums, names []string
	var list []ownership.Version
	for _, e := range shown {
		now, err := co.knowledge.Item(ctx, e.Key)
		switch {
		case err != nil:
			return err
		case now.Blob != e.Blob || now.IsRemoved() != e.IsRemoved():
			return repo.ErrChanged
		case e.IsRemoved():
			names, list = append(names, "the removal of "+knowledge.ItemName(e.Key)), append(list, ownership.Version{Blob: co.repo.Objects.Zero(), Key: e.Key})
			continue
		case e.Err != nil:
			return e.Err
		case len(merge.Conflicts(e.Sent())) > 0:
			return remedy.For(fmt.Errorf("%s has conflicting versions", knowledge.ItemName(e.Key)), remedy.ShowItem.On(e.Key))
		}
		sums = append(sums, ownership.SumsOf(e.Key, e.Sent(), true)...)
		names = append(names, knowledge.ItemName(e.Key))
		list = append(list, ownership.Version{Blob: e.Blob, Key: e.Key})
	}
	if err := co.knowledge.StandFor(ctx, strings.Join(names, ", "), sums, list...); err != nil {
		return err
	}
	for _, e := range shown {
		by, err := co.knowledge.AuthorOf(ctx, e)
		if err != nil {
			return err
		}
		for _, name := range by.Elsewheres() {
			if err := co.knowAuthor(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// knowAuthor notes that this user confirmed something by an author: what they write is no
// longer by somebody new.
//
// Joins are by nobody, see FORMAT.md.
func (co *Confirmer) knowAuthor(name string) error {
	if strings.HasSuffix(name, "<"+identity.Nobody.Mail+">") {
		return nil
	}
	return co.ownership.TrustSource(ownership.Source{Kind: ownership.TrustAuthor, Name: name}, true)
}

// ConfirmCore has this user stand for what is said of a core file, as it was shown.
// ErrChanged says that something else is said by now, ErrNoPerson that an agent wants it.
func (co *Confirmer) ConfirmCore(ctx context.Context, shown knowledge.CoreFile) error {
	now, err := co.knowledge.CoreFile(ctx, shown.Path)
	switch {
	case err != nil:
		return err
	case now.Summary != shown.Summary:
		return repo.ErrChanged
	case now.Conflict:
		return remedy.For(fmt.Errorf("core file '%s' has conflicting summaries", now.Path), remedy.DescribeCore.On(wording.InShell(now.Path)))
	}
	return co.knowledge.StandFor(ctx, "core file '"+shown.Path+"'", []string{ownership.SumOfCore(shown.Path, shown.Summary)})
}

// Confirm has this user stand for checkpoints as they are, and with a record of a session for
// those of it that it continues. Those that they made, or stand
// for already, are returned as known. ErrNoPerson says that an agent wants it.
func (co *Confirmer) Confirm(ctx context.Context, revs ...string) (confirmed, known []record.Record, err error) {
	var ids []string
	for _, rev := range revs {
		r, err := co.commits.Record(ctx, rev)
		if err != nil {
			return nil, nil, err
		}
		if r.Own && !r.Unconfirmed {
			known = append(known, r)
			continue
		}
		confirmed, ids = append(confirmed, r), append(ids, r.ID)
	}
	what := legible.Count(len(ids), "checkpoint")
	if len(ids) == 1 {
		what = "checkpoint " + record.Short(ids[0])
	}
	for _, r := range confirmed {
		ids = append(ids, co.unconfirmedOf(ctx, r)...)
	}
	if err := co.knowledge.StandFor(ctx, what, ids); err != nil {
		return confirmed, known, err
	}
	for _, r := range confirmed {
		if err := co.knowAuthorOf(r); err != nil {
			return confirmed, known, err
		}
	}
	return confirmed, known, nil
}

// knowAuthorOf is knowAuthor of a checkpoint, which rules may have made here.
func (co *Confirmer) knowAuthorOf(r record.Record) error {
	if r.Own {
		return nil
	}
	return co.knowAuthor(identity.Person{Name: r.Author, Mail: r.Email}.String())
}

// A Confirmation counts what somebody stands for now.
type Confirmation struct{ Checkpoints, Items, CoreFiles int }

// ConfirmAll has this user stand for all that a review lists: checkpoints, items, pinned notes,
// skills and core files, as far as something is wanted; and for what says no more than those:
// settled merges, removals. What was removed or refused, is in conflict, or cannot be read,
// stays as it is.
func (co *Confirmer) ConfirmAll(ctx context.Context, checkpoints, items bool) (out Confirmation, err error) {
	var ids []string
	var list []ownership.Version
	if checkpoints {
		_, waits, err := co.unconfirmed(ctx)
		if err != nil {
			return out, err
		}
		for _, n := range waits {
			if ids = append(ids, n.ID); !n.Tombstone {
				out.Checkpoints++
			}
		}
	}
	if checkpoints && items { // also those of the knowledge, which nobody is shown
		t, err := co.ownership.Trust()
		if err != nil {
			return out, err
		}
		ids = append(ids, t.UnclaimedIDs...)
	}
	if items {
		sums, of, err := co.foreignSums(ctx, &out)
		if err != nil {
			return out, err
		}
		ids, list = append(ids, sums...), of
	}
	what := "all: " + legible.Counts([]string{"checkpoint", "item", "core file"}, out.Checkpoints, out.Items, out.CoreFiles)
	authors, err := co.authorsOf(ctx, checkpoints, items, ids)
	if err != nil {
		return out, err
	}
	if err := co.knowledge.StandFor(ctx, what, ids, list...); err != nil {
		return Confirmation{}, err
	}
	for _, name := range authors {
		if err := co.knowAuthor(name); err != nil {
			return out, err
		}
	}
	return out, nil
}

// authorsOf are those of what is about to be confirmed: of commits, and of all items that came
// from elsewhere.
func (co *Confirmer) authorsOf(ctx context.Context, checkpoints, items bool, ids []string) (names []string, err error) {
	if checkpoints {
		for _, r := range co.commits.CommitRecords(ids) {
			if !r.Own && r.ID != "" {
				names = append(names, identity.Person{Name: r.Author, Mail: r.Email}.String())
			}
		}
	}
	if items {
		list, err := co.knowledge.ItemAuthors(ctx, "", "")
		if err != nil {
			return nil, err
		}
		for _, by := range list {
			names = append(names, by.Elsewheres()...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// foreignSums are the sums, and of items the versions, of what else came from elsewhere.
func (co *Confirmer) foreignSums(ctx context.Context, n *Confirmation) (sums []string, list []ownership.Version, err error) {
	items, err := co.knowledge.EveryItem(ctx)
	if err != nil {
		return nil, nil, err
	}
	known := co.ownership.VouchedIDs()
	for _, e := range items {
		if e.Err != nil || len(merge.Conflicts(e.Item)) > 0 || co.RefusesItem != nil && co.RefusesItem(e) {
			continue
		}
		of := ownership.SumsOf(e.Key, e.Item, true)
		if !co.knowledge.IsOwnItem(e) || slices.ContainsFunc(of, func(sum string) bool { return !known.Has(sum) }) {
			sums, list = append(sums, of...), append(list, ownership.Version{Blob: e.Blob, Key: e.Key})
			n.Items++
		}
	}
	files, err := co.knowledge.EveryItemFile()
	if err != nil {
		return nil, nil, err
	}
	for _, f := range co.knowledge.Removals(co.ownership.Versions(), files, func(string) bool { return true }) {
		list = append(list, ownership.Version{Blob: co.repo.Objects.Zero(), Key: knowledge.ItemKey(f.Name)})
		n.Items++
	}
	core, err := co.knowledge.CoreFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range core {
		if !c.Own && !c.Conflict {
			sums = append(sums, ownership.SumOfCore(c.Path, c.Summary))
			n.CoreFiles++
		}
	}
	return sums, list, nil
}
