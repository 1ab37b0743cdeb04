package purge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Adopt takes what was purged out of what was fetched, so that nobody's old
// history brings it back, and returns the refs that moved. Where somebody else's
// record comes in for the first time our own refs move, too; what they held then
// stays in their logs until `purge --finish`, since it is not for a stranger to say
// what is removed here for good. Where nothing was ever purged it costs the look at
// one tree for each remote.
func (pu *Purger) Adopt(ctx context.Context) ([]journal.Move, error) {
	all, err := pu.everyRecord(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	known := pu.rewritten.Purges()
	p, err := pu.newPurge(ctx, PurgeRequest{})
	if err != nil {
		return nil, err
	}
	news := !known.SayAll(all)
	here, err := pu.Still(ctx, all)
	if err != nil {
		return nil, err
	}
	// Records may come long before what they name, and our own refs stay as they are
	// until then: they are clean for certain where nothing is here that was purged.
	p.fetched = !news && len(here) == 0
	said := maps.Clone(all)
	all.AddAll(known)
	p.clean.Known = all
	p.quiet = len(all.Conflicting()) == 0 // what is made of conflicting rewrites is new to all
	ctx, cancel := context.WithTimeout(ctx, purgeTime)
	defer cancel()
	if err := p.rewriteRefs(ctx); err != nil {
		return nil, fmt.Errorf("remove what was purged: %w", err)
	}
	if err := pu.rewritten.KeepPurges(all); err != nil {
		return nil, err
	}
	if err := pu.publishNamed(ctx, p, said); err != nil {
		return nil, err
	}
	if len(p.moved) == 0 {
		return nil, nil
	}
	_ = fsx.RemoveAll(pu.repo.Dir("cache")) // derived from what the refs were
	if news || slices.ContainsFunc(p.moved, IsOursToMove) {
		return p.moved, nil
	}
	return p.moved, pu.forgetFetched(ctx, p)
}

// publishNamed records what became of commits that tombstones and notes of lines name, where
// no record said so: what continued purged history is taken along without one, and who
// never had it cannot tell what was removed, or when a line was closed.
func (pu *Purger) publishNamed(ctx context.Context, p *purge, said rewritten.Replacements) error {
	unsaid := maps.Clone(pu.rewritten.Purges())
	maps.DeleteFunc(unsaid, func(id string, x rewritten.Replacement) bool { _, ok := said[id]; return ok || !x.Old() })
	if len(unsaid) == 0 {
		return nil
	}
	refs, err := pu.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.RemotePrefix)
	if err != nil {
		return err
	}
	refs = slices.DeleteFunc(refs, func(r refname.Ref) bool { return strings.HasSuffix(r.Name, "/knowledge") })
	named, err := pu.commits.TombstonesName(ctx, refs)
	if err != nil {
		return err
	}
	notes, err := pu.contents.Files(ctx, contents.LinesDir)
	if err != nil {
		return err
	}
	for _, note := range notes {
		b, err := pu.contents.ReadFile(ctx, note)
		if err != nil {
			return err
		}
		named = append(named, strings.FieldsFunc(string(b), func(r rune) bool { return !record.IsHex(string(r)) })...)
	}
	tip, err := pu.repo.Tip(ctx, refname.KnowledgeRef)
	if err != nil {
		return err
	}
	p.clean.Did = rewritten.Replacements{}
	for _, id := range named {
		for x, ok := unsaid[id]; ok; x, ok = unsaid[id] {
			p.clean.Did[id] = x
			if delete(unsaid, id); len(x.Now) > 0 {
				id = x.Now[0]
			}
		}
	}
	o, err := p.recordOn(ctx, tip, rewritten.PurgedDir, p.clean.Did)
	if err != nil || o == tip {
		return err
	}
	return pu.ledger.Move(ctx, "sage: record what was purged", journal.Move{Ref: refname.KnowledgeRef, Old: tip, New: o})
}

// Still lists the objects that purges took out of history and that are here.
func (pu *Purger) Still(ctx context.Context, f rewritten.Replacements) ([]string, error) {
	return pu.backup.Present(ctx, pu.repo.Git, slices.Sorted(maps.Keys(f)))
}

// NotRemoved says in words how much Still names.
func NotRemoved(here []string) string {
	return legible.Count(len(here), "object") + " purged here or elsewhere, but not removed yet"
}

// everyRecord is what our knowledge tree and those of remotes say of purges. A record can
// put any object in the place of any other: what a remote says counts only where its
// knowledge, and all that its records put in place of something, is memory.
func (pu *Purger) everyRecord(ctx context.Context) (rewritten.Replacements, error) {
	refs, err := pu.repo.Refs(ctx, refname.KnowledgeRef, refname.RemotePrefix)
	if err != nil {
		return nil, err
	}
	all, err := pu.rewritten.PrivateRecords(ctx)
	if err != nil {
		return nil, err
	}
	var theirs []refname.Ref
	for _, r := range refs {
		switch {
		case r.Name == refname.KnowledgeRef:
			if f, err := pu.rewritten.PurgeRecords(ctx, r.ID); err == nil { // what cannot be read is refused with its ref
				all.AddAll(f)
			}
		case strings.HasSuffix(r.Name, "/knowledge"):
			theirs = append(theirs, r)
		}
	}
	known, news := pu.rewritten.Purges(), map[string]rewritten.Replacements{}
	for _, r := range theirs {
		f, err := pu.rewritten.OthersRecords(ctx, r.ID)
		switch {
		case err != nil || all.SayAll(f):
		case known.SayAll(f):
			all.AddAll(f)
		default:
			news[r.ID] = f
		}
	}
	if len(news) == 0 {
		return all, ctx.Err()
	}
	v, err := pu.admission.Verifier(ctx, false)
	if err == nil {
		err = v.JudgeAll(nil, news)
	}
	if err != nil {
		return nil, err
	}
	for tip, f := range news {
		if v.Verdict(tip) == nil {
			all.AddAll(f)
		}
	}
	return all, ctx.Err()
}

// forgetFetched removes the objects of old history that a fetch brought again.
func (pu *Purger) forgetFetched(ctx context.Context, p *purge) error {
	l, err := pu.backup.LockUpkeep(ctx)
	if errors.Is(err, backup.ErrBusy) {
		return nil // the next merge does it
	}
	if err != nil {
		return err
	}
	defer l.Unlock()
	for _, m := range p.moved {
		if err := pu.expireLog(ctx, refname.Ref{Name: m.Ref, ID: m.New}); err != nil {
			return err
		}
	}
	p.clean.Known = maps.Clone(pu.rewritten.Purges())
	return p.removeObjects(ctx, &Purged{})
}

// IsOursToMove reports whether a move is of a ref that tracks no remote.
func IsOursToMove(m journal.Move) bool { return !strings.HasPrefix(m.Ref, refname.RemotePrefix) }
