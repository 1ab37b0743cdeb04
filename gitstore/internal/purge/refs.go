package purge

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

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

func keysOf[K comparable, V any](m map[K]V) iter.Seq[K] { return maps.Keys(m) }

// purgeRefs are all refs of ours, tracking refs and notes included. What is no
// commit cannot be worked on, and stops a purge: it may hold what is to go.
func (pu *Purger) purgeRefs(ctx context.Context) ([]refname.Ref, error) {
	out, err := pu.repo.Git.Run(ctx, "for-each-ref", "--format=%(objectname) %(objecttype) %(refname) %(symref)", "refs/sage/", backup.NotesRef)
	if err != nil {
		return nil, repo.Unsoundf("list refs: %w", err)
	}
	var refs []refname.Ref
	for l := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), " ")
		switch {
		case len(f) != 4:
		case f[1] != "commit" && (strings.HasPrefix(f[2], refname.RemotePrefix) || strings.HasPrefix(f[2], refname.KeptPrefix)): // a merge refuses it; it is searched in the end
		case f[1] != "commit" || f[3] != "":
			return nil, repo.Unsoundf("'%s' points to a %s, not a checkpoint", f[2], f[1])
		default:
			refs = append(refs, refname.Ref{Name: f[2], ID: f[0]})
		}
	}
	return refs, nil
}

// moves rewrites history and says which refs must move for it.
func (p *purge) moves(ctx context.Context) ([]journal.Move, error) {
	refs, err := p.s.purgeRefs(ctx)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	if err := p.markNotes(ctx, refs); err != nil {
		return nil, err
	}
	var tips, clean []string
	for _, r := range refs {
		if p.req.Foreign && refname.Kind(r.Name) == "other" { // what others have is for them to clean, and is not taken in
			continue
		}
		if p.fetched && !strings.HasPrefix(r.Name, refname.RemotePrefix) {
			clean = append(clean, r.ID)
		} else {
			tips = append(tips, r.ID)
		}
	}
	slices.Sort(tips)
	now, err := p.clean.Run(ctx, slices.Compact(tips), clean)
	if err != nil {
		return nil, err
	}
	if err := p.s.notShallow(p.clean.Did); err != nil {
		return nil, err
	}
	var moves []journal.Move
	taken := map[string]bool{}
	for _, r := range refs {
		taken[r.Name] = true
	}
	for _, r := range refs {
		if ids, ok := now[r.ID]; ok {
			moves = append(moves, p.movesOf(ctx, r, ids, taken)...)
		}
	}
	return moves, nil
}

// onWhole returns an error if a ref that a purge is about to move lost something since
// it began: the move would be the last that the journal knows, and hide that.
func (pu *Purger) onWhole(ctx context.Context, moves []journal.Move) error {
	for _, m := range moves {
		if err := pu.history.NotLost(ctx, m.Ref, m.Old); err != nil {
			return err
		}
	}
	return nil
}

// markNotes tells the cleaner which commits are of notes, ours or a remote's: their message is
// git's.
func (p *purge) markNotes(ctx context.Context, refs []refname.Ref) error {
	for _, r := range refs {
		if _, name := refname.Tracks(r.Name); r.Name != backup.NotesRef && name != notes.TrackedAs {
			continue
		}
		out, err := p.s.repo.Git.Run(ctx, "rev-list", r.ID)
		if err != nil {
			return err
		}
		for _, id := range strings.Fields(string(out)) {
			p.clean.Notes[id] = true
		}
	}
	return nil
}

// movesOf says what becomes of one ref. A tag of a checkpoint that is gone goes
// with it; a line or fork ends where its history now ends, and where that is in
// several places, as behind a merge that is gone, the others become forks.
func (p *purge) movesOf(ctx context.Context, r refname.Ref, now []string, taken map[string]bool) (out []journal.Move) {
	name := p.refName(r.Name, taken)
	gone := p.clean.Did[r.ID].Gone && strings.HasPrefix(r.Name, refname.TagsPrefix)
	switch {
	case len(now) == 0, gone, name == "":
		return []journal.Move{{Ref: r.Name, Old: r.ID, New: ""}}
	case name != r.Name:
		out = append(out, journal.Move{Ref: r.Name, Old: r.ID, New: ""}, journal.Move{Ref: name, Old: "", New: now[0]})
	case now[0] != r.ID:
		out = append(out, journal.Move{Ref: r.Name, Old: r.ID, New: now[0]})
	}
	if l, ok := commits.LineOf(refname.Ref{Name: name, ID: ""}); ok {
		for _, id := range now[1:] {
			if fork := refname.ForkRef(l.Of, refname.Session8(id)); !taken[fork] && !p.s.commits.IsAncestor(ctx, id, now[0]) {
				taken[fork] = true
				out = append(out, journal.Move{Ref: fork, Old: "", New: id})
			}
		}
	}
	return out
}

// refName cleans the name of a ref. One that tracks a remote's goes: it comes back
// with the next fetch, under whatever name it has there.
func (p *purge) refName(name string, taken map[string]bool) string {
	m := p.clean.Rule.Match
	kind, rest, ok := strings.Cut(strings.TrimPrefix(name, "refs/sage/"), "/")
	if m == nil || !ok || !strings.HasPrefix(name, "refs/sage/") {
		return name
	}
	parts := strings.Split(rest, "/")
	for i, part := range parts {
		parts[i] = p.clean.Put(m, part, record.PurgedName)
	}
	next := "refs/sage/" + kind + "/" + strings.Join(parts, "/")
	if next == name {
		return name
	}
	if strings.HasPrefix(name, refname.RemotePrefix) {
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
func (pu *Purger) notShallow(did rewritten.Replacements) error {
	b, err := fsx.ReadFile(filepath.Join(pu.repo.Where.CommonDir, "shallow"))
	if err != nil {
		return nil
	}
	for _, id := range strings.Fields(string(b)) {
		if _, ok := did[id]; ok {
			return errors.New("this clone is shallow: run 'git fetch --unshallow' first")
		}
	}
	return nil
}

// expireLogs empties the logs of our refs: they name old commits and tell their
// descriptions. Logs of refs that are gone go.
func (pu *Purger) expireLogs(ctx context.Context) error {
	refs, err := pu.purgeRefs(ctx)
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, r := range refs {
		have[r.Name] = true
		if err := pu.expireLog(ctx, r); err != nil {
			return err
		}
	}
	for _, file := range pu.LogFiles() {
		name, err := filepath.Rel(filepath.Join(pu.repo.Where.CommonDir, "logs"), file)
		if err == nil && !have[filepath.ToSlash(name)] {
			if err := fsx.Remove(file); err != nil {
				return fmt.Errorf("remove a log: %w", err)
			}
		}
	}
	return pu.compactTables(ctx)
}

// compactTables writes the tables of refs anew where git keeps refs and logs so
// (reftable): what was taken out of a log stays in an older table until then. No ref
// changes.
func (pu *Purger) compactTables(ctx context.Context) error {
	if _, err := fsx.Lstat(filepath.Join(pu.repo.Where.CommonDir, "reftable")); err != nil {
		return nil
	}
	if _, err := pu.repo.Git.Run(ctx, "pack-refs", "--all"); err != nil {
		return fmt.Errorf("empty the logs: %w", err)
	}
	return nil
}

// expireLog empties a log. Git locks the ref for it, as for a move, so it needs a
// record as a move does.
func (pu *Purger) expireLog(ctx context.Context, r refname.Ref) error {
	var none *git.Error
	if _, err := pu.repo.Git.Run(ctx, "reflog", "exists", r.Name); errors.As(err, &none) && none.Code == 1 {
		return nil
	} else if err != nil {
		return fmt.Errorf("look for the log of %s: %w", r.Name, err)
	}
	err := pu.runRecorded(ctx, []journal.Move{{Ref: r.Name, Old: r.ID, New: r.ID}}, nil, "reflog", "expire", "--expire=all", "--expire-unreachable=all", r.Name)
	if lock := ledger.LockIn(err); lock != "" {
		return remedy.For(fmt.Errorf("empty the log of %s: '%s' locks it", r.Name, filepath.ToSlash(lock)), remedy.RemoveLock.On())
	}
	if err != nil {
		return fmt.Errorf("empty the log of %s: %w", r.Name, err)
	}
	return nil
}

// runRecorded runs a git that locks refs or files, under a record of them: if it is
// killed, its locks are known for ours.
func (pu *Purger) runRecorded(ctx context.Context, moves []journal.Move, files []string, args ...string) error {
	pu.ledger.ClearDead()
	rec := pu.ledger.NewRecord()
	defer rec.Remove()
	if err := rec.Write(moves, os.Getpid(), pu.fromHere(files)...); err != nil {
		return err
	}
	w, err := pu.repo.Git.Start(ctx, rec.File(), args...)
	if err != nil {
		return err
	}
	err = w.Feed(nil, func() {})
	for _, f := range files { // a power cut may bring the lock back, and must not take the record
		_ = fsx.SyncDir(filepath.Dir(f))
	}
	pu.ledger.ClearBehind(rec, err, w)
	return err
}

// fromHere makes paths relative to the repository, which may be moved, or mounted
// elsewhere, before a record is read.
func (pu *Purger) fromHere(files []string) (out []string) {
	for _, f := range files {
		if rel, err := filepath.Rel(pu.repo.Where.CommonDir, f); err == nil {
			f = rel
		}
		out = append(out, f)
	}
	return out
}

// LogFiles are the files that hold logs of our refs.
func (pu *Purger) LogFiles() (files []string) {
	logs := filepath.Join(pu.repo.Where.CommonDir, "logs", "refs")
	for _, root := range []string{filepath.Join(logs, "sage"), filepath.Join(logs, "notes", "sage")} {
		files = append(files, fsx.FilesBelow(root)...)
	}
	return files
}
