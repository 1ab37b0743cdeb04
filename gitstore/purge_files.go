package gitstore

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// filesBelow lists the files below a folder. A link is none.
func filesBelow(root string) (files []string) {
	_ = fsx.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return nil // what cannot be read is said by the search in the end
	})
	return files
}

// ownFolders are all folders that we keep files in: the common one, those of every
// work tree, and what is derived beside the user's files.
func (s *Store) ownFolders() []string {
	dirs := []string{s.worktreeDir()}
	for _, dir := range s.gitDirs() {
		dirs = append(dirs, filepath.Join(dir, "sage"))
	}
	if s.where.top != "" {
		local := filepath.Join(s.where.top, ".sage", "local")
		if st, err := fsx.Lstat(local); err == nil && st.IsDir() {
			dirs = append(dirs, local)
		}
	}
	return dirs
}

// ownFiles are all files of ours but the stores that are repositories.
func (s *Store) ownFiles() (files []string) {
	seen := map[string]bool{}
	for _, dir := range s.ownFolders() {
		for _, f := range filesBelow(dir) {
			rel, _ := filepath.Rel(s.dir(), f)
			if top, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); !seen[f] && !strings.HasSuffix(top, ".git") {
				seen[f] = true
				files = append(files, f)
			}
		}
	}
	return files
}

// removeDerived removes a folder into which others may write just now: a file that
// comes while the others go leaves the folder behind.
func removeDerived(dir string) (err error) {
	for range maxTries {
		if err = fsx.RemoveAll(dir); err == nil {
			break
		}
	}
	return err
}

// cleanFiles takes what was purged out of the files beside git: what is derived
// goes, what tells where a session stands is written anew, and what a repair kept
// of damaged refs and objects goes too.
func (p *purge) cleanFiles() error {
	s := p.s
	for _, dir := range []string{s.dir("cache"), s.SidecarDir(), s.ownCache()} {
		if dir == "" {
			continue
		}
		if err := removeDerived(dir); err != nil {
			return fmt.Errorf("remove what is derived: %w", err)
		}
	}
	if err := p.cleanRepairs(); err != nil {
		return fmt.Errorf("remove what a repair kept: %w", err)
	}
	for _, f := range s.ownFiles() {
		if err := p.cleanOne(f); err != nil {
			return fmt.Errorf("clean %s: %w", f, err)
		}
	}
	return nil
}

// beside are the files of ours beside git that hold what is to be replaced: those that
// cleanFiles cleans or removes.
func (p *purge) beside() (files []string) {
	m := p.clean.rule.match
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
	m := p.clean.rule.match
	old, now, err := p.s.readJournal()
	if m == nil || err != nil {
		return 0
	}
	for _, l := range journalLines(append(old, now...), "") {
		if len(p.outsideIDs(m, l.why)) > 0 {
			n++
		}
	}
	return n
}

// isRecord reports whether other steps of a purge clean a file: what has ids alone, and the
// journal, which is written anew.
func (p *purge) isRecord(file string) bool {
	return slices.Contains([]string{p.s.purgeIndexFile(), p.s.purgingFile(), p.s.dir("journal"), p.s.dir("own"), p.s.dir("vouched"), p.s.dir("begun"), p.s.versionsFile()}, file)
}

// cleanRepairs removes what a repair kept if that names or holds what is purged:
// such a repair cannot be undone any more.
func (p *purge) cleanRepairs() error {
	known := p.s.purges()
	for _, n := range p.s.repairs() {
		dir := p.s.dir("repairs", strconv.Itoa(n))
		for _, f := range filesBelow(dir) {
			b, err := fsx.ReadOwn(f)
			if err != nil {
				return err
			}
			text := string(b) + inflated(b)
			if p.named(text, known) || p.clean.rule.match != nil && len(p.clean.rule.match(text)) > 0 {
				if err := fsx.RemoveAll(dir); err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// named reports whether a text names an id that a purge changed.
func (p *purge) named(text string, known fates) bool {
	ids := strings.FieldsFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) })
	return slices.ContainsFunc(ids, func(id string) bool { return known[id].old() })
}

// inflated is the content of a loose object, "" of anything else.
func inflated(b []byte) string {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return ""
	}
	plain, _ := io.ReadAll(io.LimitReader(z, maxSearched))
	return string(plain)
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
	text := string(b)
	if m := p.clean.rule.match; m != nil {
		text = p.clean.replace(m, text)
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

// forgetOld takes old ids out of what tells where sessions stand, and out of what
// the journal, the list of commits made here and the backup hold.
func (s *Store) forgetOld(ctx context.Context) error {
	for _, f := range s.standFiles() {
		t, ok := readStand(f)
		now := s.standIn(t.Seen)
		if !ok || now == t.Seen {
			continue
		}
		t.Seen = now
		if err := keepStandAt(f, t); err != nil {
			return err
		}
	}
	refs, err := s.ourTips(ctx)
	if err != nil {
		return err
	}
	if err := s.rewriteJournal(func(known map[string]entry) error { return s.forgetEntries(known, refs) }); err != nil {
		return err
	}
	n := len(s.objects.Zero())
	if err := s.rewriteLedger(s.ownFile(), s.forgetMade, n); err != nil {
		return err
	}
	if err := fsx.Remove(s.confirmsFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.forgetVersions(ctx); err != nil {
		return err
	}
	forget, err := s.forgetVouched(ctx)
	if err == nil {
		err = cmp.Or(s.rewriteLedger(s.vouchedFile(), forget, sumSize, n), s.rewriteLedger(s.begunFile(), forget, sumSize, n))
	}
	if err != nil {
		return err
	}
	return s.rebuildBackup(ctx, s.nothingLost)
}

// forgetEntries keeps what a ref is at: what a purge elsewhere made of that may not
// be here yet.
func (s *Store) forgetEntries(known map[string]entry, at []ref) error {
	for name, e := range known {
		old, _ := s.purged(e.old)
		now, _ := s.purged(e.new)
		if slices.Contains(at, ref{name, e.new}) {
			now = e.new
		}
		if e.old, e.new, e.begun = old, now, nil; now == "" {
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
func (s *Store) forgetMade(l ledgerLine) ledgerLine {
	now, gone := s.purged(l.id)
	switch {
	case now == l.id && !gone:
		return l
	case gone:
		return ledgerLine{}
	}
	return ledgerLine{mixedWord, now}
}
