package purge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// ownFiles are all files of ours but the stores that are repositories.
func (pu *Purger) ownFiles() (files []string) {
	seen := map[string]bool{}
	for _, dir := range pu.repo.OwnFolders() {
		for _, f := range fsx.FilesBelow(dir) {
			rel, _ := filepath.Rel(pu.repo.Dir(), f)
			if top, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); !seen[f] && !strings.HasSuffix(top, ".git") {
				seen[f] = true
				files = append(files, f)
			}
		}
	}
	return files
}

// cleanFiles takes what was purged out of the files beside git that parts left.
func (p *purge) cleanFiles() error {
	for _, f := range p.s.ownFiles() {
		if err := p.cleanOne(f); err != nil {
			return fmt.Errorf("clean %s: %w", f, err)
		}
	}
	return nil
}

// beside are the files of ours beside git that hold what is to be replaced: those that
// cleanFiles cleans or removes.
func (p *purge) beside() (files []string) {
	m := p.clean.Rule.Match
	if m == nil {
		return nil
	}
	for _, f := range p.s.ownFiles() {
		b, err := fsx.ReadOwn(f)
		if err == nil && !p.isRecord(f) && len(p.outsideIDs(m, string(b))) > 0 {
			files = append(files, f)
		}
	}
	return files
}

// inJournal counts the lines of the journal that say of why a ref moved what is purged.
// What a purge writes anew is without.
func (p *purge) inJournal() (n int) {
	m := p.clean.Rule.Match
	old, now, err := p.s.journal.ReadJournal()
	if m == nil || err != nil {
		return 0
	}
	for _, l := range journal.JournalLines(append(old, now...), "") {
		if len(p.outsideIDs(m, l.Why)) > 0 {
			n++
		}
	}
	return n
}

// isRecord reports whether other steps of a purge clean a file: what has ids alone, and the
// journal, which is written anew.
func (p *purge) isRecord(file string) bool {
	return slices.Contains([]string{p.s.rewritten.PurgeIndexFile(), p.s.PurgingFile(), p.s.repo.Dir("journal"), p.s.repo.Dir("own"), p.s.repo.Dir("vouched"), p.s.repo.Dir("begun"), p.s.ownership.TakenFile(), p.s.ownership.VersionsFile()}, file)
}

// cleanOne cleans one file: ids in it become those of now, matches are replaced.
// What cannot be read any more after that is removed: nothing beside git is needed
// to read a checkpoint.
func (p *purge) cleanOne(file string) error {
	if p.isRecord(file) {
		return nil
	}
	b, err := fsx.ReadOwn(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) { // of that the plan told
		return nil
	}
	if err != nil {
		return err
	}
	if m := p.clean.Rule.Match; m != nil && slices.Contains([]string{p.s.ownership.TrustedFile(), p.s.ownership.ArrivedFile()}, file) {
		return p.s.ownership.KeepLines(file, func(l string) bool { return p.clean.Replace(m, l) == l })
	}
	text := string(b)
	if m := p.clean.Rule.Match; m != nil {
		text = p.clean.Replace(m, text)
	}
	if text == string(b) {
		return nil
	}
	if strings.HasSuffix(file, ".json") && json.Valid([]byte(text)) {
		st, err := fsx.Lstat(file)
		if err != nil {
			return err
		}
		return fsx.WriteFile(file, []byte(text), st.Mode().Perm())
	}
	return fsx.Remove(file)
}

// forgetOld takes old ids out of what the journal, the list of commits made here and the
// backup hold.
func (pu *Purger) forgetOld(ctx context.Context) error {
	refs, err := pu.backup.OurTips(ctx)
	if err != nil {
		return err
	}
	if err := pu.journal.RewriteJournal(func(known map[string]journal.Entry) error { return pu.forgetEntries(known, refs) }); err != nil {
		return err
	}
	if err := pu.followPrivate(ctx); err != nil {
		return err
	}
	n := len(pu.repo.Objects.Zero())
	if err := pu.ownership.RewriteLedger(pu.ownership.OwnFile(), pu.forgetMade, n); err != nil {
		return err
	}
	if err := fsx.Remove(pu.knowledge.ConfirmsFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := pu.knowledge.ForgetVersions(ctx); err != nil {
		return err
	}
	forget, err := pu.forgetVouched(ctx)
	if err == nil {
		err = cmp.Or(pu.ownership.RewriteLedger(pu.ownership.VouchedFile(), forget, ownership.SumSize, n), pu.ownership.RewriteLedger(pu.ownership.BegunFile(), forget, ownership.SumSize, n),
			pu.ownership.RewriteLedger(pu.ownership.TakenFile(), forget, ownership.SumSize, n),
			pu.ownership.ForgetArrivals(func(id string) bool { now, gone := pu.rewritten.Purged(id); return gone || now != id }))
	}
	if err != nil {
		return err
	}
	return pu.backup.RebuildBackup(ctx, pu.history.NothingLost)
}

// followPrivate has private lines begin where they did.
func (pu *Purger) followPrivate(ctx context.Context) error {
	if len(pu.repo.PrivateNames()) == 0 {
		return nil
	}
	return pu.repo.ChangePrivateLines(ctx, func(list []repo.PrivateLine) []repo.PrivateLine {
		for i, l := range list {
			if list[i].Base = pu.rewritten.StandIn(l.Base); list[i].Base == "" {
				list[i].Base = "0"
			}
		}
		return list
	})
}

// forgetEntries keeps what a ref is at: what a purge elsewhere made of that may not
// be here yet.
func (pu *Purger) forgetEntries(known map[string]journal.Entry, at []refname.Ref) error {
	for name, e := range known {
		old, _ := pu.rewritten.Purged(e.Old)
		now, _ := pu.rewritten.Purged(e.New)
		if slices.Contains(at, refname.Ref{Name: name, ID: e.New}) {
			now = e.New
		}
		if e.Old, e.New, e.Begun = old, now, nil; now == "" {
			delete(known, name)
			continue
		}
		known[name] = e
	}
	return nil
}

// forgetMade is a line of what was made here without an id that was purged. What a purge
// made of that was made here, too; whether it is still what this user wrote is noted where
// it is made, see keepOwn: a record may name anything in its place.
func (pu *Purger) forgetMade(l ownership.LedgerLine) ownership.LedgerLine {
	now, gone := pu.rewritten.Purged(l.ID)
	switch {
	case now == l.ID && !gone:
		return l
	case gone || pu.ownership.MadeByMe().Has(now):
		return ownership.LedgerLine{}
	}
	return ownership.LedgerLine{Word: ownership.MixedWord, ID: now}
}
