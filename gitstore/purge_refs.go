package gitstore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
)

func keysOf[K comparable, V any](m map[K]V) iter.Seq[K] { return maps.Keys(m) }

// purgeRefs are all refs of ours, tracking refs and notes included. What is no
// commit cannot be worked on, and stops a purge: it may hold what is to go.
func (s *Store) purgeRefs(ctx context.Context) ([]ref, error) {
	out, err := s.git.Run(ctx, "for-each-ref", "--format=%(objectname) %(objecttype) %(refname) %(symref)", "refs/sage/", notesRef)
	if err != nil {
		return nil, fmt.Errorf("list refs: %w; run 'git sage fsck'", err)
	}
	var refs []ref
	for l := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), " ")
		switch {
		case len(f) != 4:
		case f[1] != "commit" && (strings.HasPrefix(f[2], remotePrefix) || strings.HasPrefix(f[2], keptPrefix)): // a merge refuses it; it is searched in the end
		case f[1] != "commit" || f[3] != "":
			return nil, fmt.Errorf("'%s' holds no checkpoint but a %s; run 'git sage fsck'", f[2], f[1])
		default:
			refs = append(refs, ref{f[2], f[0]})
		}
	}
	return refs, nil
}

// moves rewrites history and says which refs must move for it.
func (p *purge) moves(ctx context.Context) ([]move, error) {
	refs, err := p.s.purgeRefs(ctx)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	if err := p.markNotes(ctx, refs); err != nil {
		return nil, err
	}
	var tips, clean []string
	for _, r := range refs {
		if p.req.Foreign && refKind(r.name) == "other" { // what others have is for them to clean, and is not taken in
			continue
		}
		if p.fetched && !strings.HasPrefix(r.name, remotePrefix) {
			clean = append(clean, r.id)
		} else {
			tips = append(tips, r.id)
		}
	}
	slices.Sort(tips)
	now, err := p.clean.run(ctx, slices.Compact(tips), clean)
	if err != nil {
		return nil, err
	}
	if err := p.s.notShallow(p.clean.did); err != nil {
		return nil, err
	}
	var moves []move
	taken := map[string]bool{}
	for _, r := range refs {
		taken[r.name] = true
	}
	for _, r := range refs {
		if ids, ok := now[r.id]; ok {
			moves = append(moves, p.movesOf(ctx, r, ids, taken)...)
		}
	}
	return moves, nil
}

// nothingLost refuses to purge while a ref lacks what was acknowledged on it: the
// backup is made anew in the end, and could not bring it back any more. It looks where
// fsck does: a ref that tracks a remote is in the journal when a purge moved it, and is
// the next fetch's to set.
func (s *Store) nothingLost(ctx context.Context) error {
	known, err := s.journaled()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		tip, err := s.tip(ctx, name)
		if err == nil {
			err = s.notLost(ctx, name, tip)
		}
		if err != nil && !errors.Is(err, errMoved) {
			return err
		}
	}
	return nil
}

// notLost is guard for refs that hold what was acknowledged.
func (s *Store) notLost(ctx context.Context, name, tip string) error {
	if !isAcknowledged(name) {
		return nil
	}
	return s.guard(ctx, name, tip)
}

// onWhole returns an error if a ref that a purge is about to move lost something since
// it began: the move would be the last that the journal knows, and hide that.
func (s *Store) onWhole(ctx context.Context, moves []move) error {
	for _, m := range moves {
		if err := s.notLost(ctx, m.ref, m.old); err != nil {
			return err
		}
	}
	return nil
}

// markNotes tells the cleaner which commits are of notes: their message is git's.
func (p *purge) markNotes(ctx context.Context, refs []ref) error {
	for _, r := range refs {
		if r.name != notesRef {
			continue
		}
		out, err := p.s.git.Run(ctx, "rev-list", r.id)
		if err != nil {
			return err
		}
		for _, id := range strings.Fields(string(out)) {
			p.clean.notes[id] = true
		}
	}
	return nil
}

// movesOf says what becomes of one ref. A tag of a checkpoint that is gone goes
// with it; a line or fork ends where its history now ends, and where that is in
// several places, as behind a merge that is gone, the others become forks.
func (p *purge) movesOf(ctx context.Context, r ref, now []string, taken map[string]bool) (out []move) {
	name := p.refName(r.name, taken)
	gone := p.clean.did[r.id].gone && strings.HasPrefix(r.name, tagsPrefix)
	switch {
	case len(now) == 0, gone, name == "":
		return []move{{r.name, r.id, ""}}
	case name != r.name:
		out = append(out, move{r.name, r.id, ""}, move{name, "", now[0]})
	case now[0] != r.id:
		out = append(out, move{r.name, r.id, now[0]})
	}
	if l, ok := lineOf(ref{name, ""}); ok {
		for _, id := range now[1:] {
			if fork := forkRef(l.Of, session8(id)); !taken[fork] && !p.s.isAncestor(ctx, id, now[0]) {
				taken[fork] = true
				out = append(out, move{fork, "", id})
			}
		}
	}
	return out
}

// refName cleans the name of a ref. One that tracks a remote's goes: it comes back
// with the next fetch, under whatever name it has there.
func (p *purge) refName(name string, taken map[string]bool) string {
	m := p.clean.rule.match
	kind, rest, ok := strings.Cut(strings.TrimPrefix(name, "refs/sage/"), "/")
	if m == nil || !ok || !strings.HasPrefix(name, "refs/sage/") {
		return name
	}
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		parts[i] = p.clean.put(m, part, purgedName)
	}
	next := "refs/sage/" + kind + "/" + strings.Join(parts, "/")
	if next == name {
		return name
	}
	if strings.HasPrefix(name, remotePrefix) {
		return ""
	}
	for n, base := 2, next; taken[next]; n++ {
		next = fmt.Sprintf("%s-%d", base, n)
	}
	taken[next] = true
	return next
}

// notShallow refuses to rewrite where a shallow clone ends: the new commit would
// name parents that are not here, and git would take that for damage.
func (s *Store) notShallow(did fates) error {
	b, err := fsx.ReadFile(filepath.Join(s.where.commonDir, "shallow"))
	if err != nil {
		return nil
	}
	for _, id := range strings.Fields(string(b)) {
		if _, ok := did[id]; ok {
			return errors.New("history of checkpoints is cut off here (a shallow clone): run 'git fetch --unshallow' first")
		}
	}
	return nil
}

// expireLogs empties the logs of our refs: they name old commits and tell their
// descriptions. Logs of refs that are gone go.
func (s *Store) expireLogs(ctx context.Context) error {
	refs, err := s.purgeRefs(ctx)
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, r := range refs {
		have[r.name] = true
		if err := s.expireLog(ctx, r); err != nil {
			return err
		}
	}
	for _, file := range s.logFiles() {
		name, err := filepath.Rel(filepath.Join(s.where.commonDir, "logs"), file)
		if err == nil && !have[filepath.ToSlash(name)] {
			if err := fsx.Remove(file); err != nil {
				return fmt.Errorf("remove a log: %w", err)
			}
		}
	}
	return s.compactTables(ctx)
}

// compactTables writes the tables of refs anew where git keeps refs and logs so
// (reftable): what was taken out of a log stays in an older table until then. No ref
// changes.
func (s *Store) compactTables(ctx context.Context) error {
	if _, err := fsx.Lstat(filepath.Join(s.where.commonDir, "reftable")); err != nil {
		return nil
	}
	if _, err := s.git.Run(ctx, "pack-refs", "--all"); err != nil {
		return fmt.Errorf("empty the logs: %w", err)
	}
	return nil
}

// expireLog empties a log. Git locks the ref for it, as for a move, so it needs a
// record as a move does.
func (s *Store) expireLog(ctx context.Context, r ref) error {
	var none *git.Error
	if _, err := s.git.Run(ctx, "reflog", "exists", r.name); errors.As(err, &none) && none.Code == 1 {
		return nil
	} else if err != nil {
		return fmt.Errorf("look for the log of %s: %w", r.name, err)
	}
	err := s.runRecorded(ctx, []move{{r.name, r.id, r.id}}, nil, "reflog", "expire", "--expire=all", "--expire-unreachable=all", r.name)
	if lock := lockIn(err); lock != "" {
		return fmt.Errorf("empty the log of %s: '%s' locks it: if no git is at work here, one was killed: run 'git sage fsck --repair', or delete the file", r.name, filepath.ToSlash(lock))
	}
	if err != nil {
		return fmt.Errorf("empty the log of %s: %w", r.name, err)
	}
	return nil
}

// runRecorded runs a git that locks refs or files, under a record of them: if it is
// killed, its locks are known for ours.
func (s *Store) runRecorded(ctx context.Context, moves []move, files []string, args ...string) error {
	s.clearDead()
	rec := s.newRecord()
	defer rec.remove()
	if err := rec.write(moves, os.Getpid(), s.fromHere(files)...); err != nil {
		return err
	}
	w, err := s.git.Start(ctx, rec.file(), args...)
	if err != nil {
		return err
	}
	err = w.Feed(nil, func() {})
	for _, f := range files { // a power cut may bring the lock back, and must not take the record
		_ = fsx.SyncDir(filepath.Dir(f))
	}
	s.clearBehind(rec, err, w.Said())
	return err
}

// fromHere makes paths relative to the repository, which may be moved, or mounted
// elsewhere, before a record is read.
func (s *Store) fromHere(files []string) (out []string) {
	for _, f := range files {
		if rel, err := filepath.Rel(s.where.commonDir, f); err == nil {
			f = rel
		}
		out = append(out, f)
	}
	return out
}

// logFiles are the files that hold logs of our refs.
func (s *Store) logFiles() (files []string) {
	logs := filepath.Join(s.where.commonDir, "logs", "refs")
	for _, root := range []string{filepath.Join(logs, "sage"), filepath.Join(logs, "notes", "sage")} {
		files = append(files, filesBelow(root)...)
	}
	return files
}
