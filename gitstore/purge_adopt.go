package gitstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// adopt takes what was purged out of what was fetched, so that nobody's old
// history brings it back, and returns the refs that moved. Where somebody else's
// record comes in for the first time our own refs move, too; what they held then
// stays in their logs until `purge --finish`, since it is not for a stranger to say
// what is removed here for good. Where nothing was ever purged it costs the look at
// one tree for each remote.
func (s *Store) adopt(ctx context.Context) ([]move, error) {
	all, err := s.everyRecord(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	known := s.purges()
	p, err := s.newPurge(ctx, PurgeRequest{})
	if err != nil {
		return nil, err
	}
	news := !known.sayAll(all)
	here, err := s.still(ctx, all)
	if err != nil {
		return nil, err
	}
	// Records may come long before what they name, and our own refs stay as they are
	// until then: they are clean for certain where nothing is here that was purged.
	p.fetched = !news && len(here) == 0
	all.addAll(known)
	p.clean.known = all
	p.quiet = len(all.kin()) == 0 // what is made of rivals is new to all
	ctx, cancel := context.WithTimeout(ctx, purgeTime)
	defer cancel()
	if err := p.rewriteRefs(ctx); err != nil {
		return nil, fmt.Errorf("take out what was purged: %w", err)
	}
	if err := s.keepPurges(all); err != nil {
		return nil, err
	}
	if len(p.moved) == 0 {
		return nil, nil
	}
	_ = fsx.RemoveAll(s.dir("cache")) // derived from what the refs were
	if news || slices.ContainsFunc(p.moved, isOursToMove) {
		return p.moved, nil
	}
	return p.moved, s.forgetFetched(ctx, p)
}

// sayAll reports whether f says all that others say.
func (f fates) sayAll(others fates) bool {
	for old, x := range others {
		if !f.says(old, x) {
			return false
		}
	}
	return true
}

func (f fates) addAll(others fates) {
	for old, x := range others {
		f.add(old, x)
	}
}

// still lists the objects that purges took out of history and that are here.
func (s *Store) still(ctx context.Context, f fates) ([]string, error) {
	return s.present(ctx, s.git, slices.Sorted(maps.Keys(f)))
}

// everyRecord is what our knowledge tree and those of remotes say of purges. A record can
// put any object in the place of any other: what a remote says counts only where its
// knowledge, and all that its records put in place of something, is memory.
func (s *Store) everyRecord(ctx context.Context) (fates, error) {
	refs, err := s.refs(ctx, KnowledgeRef, remotePrefix)
	if err != nil {
		return nil, err
	}
	all := fates{}
	var theirs []ref
	for _, r := range refs {
		switch {
		case r.name == KnowledgeRef:
			if f, err := s.purgeRecords(ctx, r.id); err == nil { // what cannot be read is refused with its ref
				all.addAll(f)
			}
		case strings.HasSuffix(r.name, "/knowledge"):
			theirs = append(theirs, r)
		}
	}
	known, news := s.purges(), map[string]fates{}
	for _, r := range theirs {
		f, err := s.othersRecords(ctx, r.id)
		switch {
		case err != nil || all.sayAll(f):
		case known.sayAll(f):
			all.addAll(f)
		default:
			news[r.id] = f
		}
	}
	if len(news) == 0 {
		return all, ctx.Err()
	}
	v, err := s.verifier(ctx, false)
	if err == nil {
		err = v.judgeAll(nil, news)
	}
	if err != nil {
		return nil, err
	}
	for tip, f := range news {
		if v.verdict(tip) == nil {
			all.addAll(f)
		}
	}
	return all, ctx.Err()
}

// forgetFetched removes the objects of old history that a fetch brought again.
func (s *Store) forgetFetched(ctx context.Context, p *purge) error {
	l, err := s.lockUpkeep(ctx)
	if errors.Is(err, errBusy) {
		return nil // the next merge does it
	}
	if err != nil {
		return err
	}
	defer l.Unlock()
	for _, m := range p.moved {
		if err := s.expireLog(ctx, ref{m.ref, m.new}); err != nil {
			return err
		}
	}
	p.clean.known = maps.Clone(s.purges())
	return p.removeObjects(ctx, &Purged{})
}

// isOursToMove reports whether a move is of a ref that tracks no remote.
func isOursToMove(m move) bool { return !strings.HasPrefix(m.ref, remotePrefix) }

// adopted says which of our own refs a purge of somebody else's moved.
func adopted(moves []move) (out []Fetched) {
	for _, m := range moves {
		if isOursToMove(m) {
			out = append(out, Fetched{Ref: m.ref, Act: FetchedPurged, Old: m.old, New: m.new,
				Detail: "somebody purged a part; 'git sage purge --finish' removes that from this clone, too"})
		}
	}
	return out
}

// holding says which remotes had what is purged when they were last fetched from: what
// was fetched is clean now, and they are not.
func holding(moves []move) (out []Fetched) {
	for _, m := range moves {
		if remote, _ := tracks(m.ref); remote != "" {
			out = append(out, Fetched{Ref: m.ref, Act: FetchedHolds, Old: m.old, New: m.new, Remotes: []string{remote},
				Detail: "it had what is purged here when it was last fetched from; 'git sage purge --finish --push' replaces it there"})
		}
	}
	return out
}
