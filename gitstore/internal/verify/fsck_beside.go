package verify

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// remember reads what refs were last, and what was made here.
func (k *checker) remember() {
	k.known = map[string]was{}
	entries, err := k.s.journal.Journaled()
	if err != nil {
		k.unreadJournal = err
		k.warn("journal", "sage/journal", repo.PlainError(err)+"; lost refs go unnoticed", k.awayCure(k.s.journal.JournalFile()))
	}
	for name, e := range entries {
		if repo.IsAcknowledged(name) {
			k.known[name] = was{id: e.New, when: e.At, source: "the journal", may: e}
		}
	}
	if k.own, err = k.s.ownership.OwnIDs(); err != nil {
		k.warn("own", "sage/own", repo.PlainError(err)+"; checkpoints made here show as unconfirmed", k.awayCure(k.s.ownership.OwnFile()))
	}
}

// awayCure is what to type where a file of ours cannot be read: what is no file goes
// aside, and the next save makes another.
func (k *checker) awayCure(file string) string {
	for _, path := range []string{k.s.repo.Dir(), file} {
		st, err := fsx.Lstat(path)
		if err == nil && (path == file && !st.Mode().IsRegular() || path != file && !st.IsDir()) {
			return fmt.Sprintf("mv '%s' '%s.aside'", path, path)
		}
	}
	return "fix the permissions of '" + file + "'"
}

// backedUp is the value that the backup has for a ref.
func (k *checker) backedUp(name string) was {
	if id := k.s.backup.BackupRefs(k.s.backup.BackupDir())[name]; id != "" {
		return was{id: id, source: "the backup"}
	}
	return was{}
}

// beside checks our own files beside git's: each may be lost or torn without harm
// to a checkpoint, but then less is noticed.
func (k *checker) beside() {
	if b, err := fsx.ReadOwn(k.s.repo.Dir("id")); err == nil && (len(repo.Text(b)) != 32 || !record.IsHex(repo.Text(b))) {
		k.warn("id", "sage/id", "holds "+quoted(b)+", not an id; derived data is ignored", "")
		k.mend(&fileFix{file: k.s.repo.Dir("id"), name: "sage/id", what: "moves it aside", done: "moved aside; 'git sage init' creates a new one"})
	}
	if b, err := fsx.ReadOwn(k.s.journal.JournalFile()); err == nil {
		if n := damagedLines(b, journalLineOK); n > 0 {
			k.warn("journal", "sage/journal", repo.Count(n, "damaged line")+", skipped", "")
			k.mend(&rewriteFix{name: "sage/journal", file: k.s.journal.JournalFile(), again: func(s *Verifier) error {
				return s.journal.RewriteJournal(func(map[string]journal.Entry) error { return nil })
			}})
		}
	}
	n := len(k.s.repo.Objects.Zero())
	k.ledger("own", k.s.ownership.OwnFile(), n)
	k.ledger("vouched", k.s.ownership.VouchedFile(), ownership.SumSize, n)
	k.versions(n)
}

// versions checks the list of the versions that users left.
func (k *checker) versions(ids int) {
	b, err := fsx.ReadOwn(k.s.ownership.VersionsFile())
	if err != nil {
		return
	}
	n := damagedLines(b, func(line string) bool {
		l, ok := ownership.ParseVersionLine(line, ids)
		return ok && line+"\n" == l.String()
	})
	if n > 0 {
		k.warn("versions", "sage/versions", repo.Count(n, "damaged line")+", skipped", "")
		k.mend(&rewriteFix{name: "sage/versions", file: k.s.ownership.VersionsFile(), again: func(s *Verifier) error { return s.ownership.MendVersions() }})
	}
}

// ledger checks a list of what is one's own.
func (k *checker) ledger(name, file string, sizes ...int) {
	b, err := fsx.ReadOwn(file)
	if err != nil {
		return
	}
	n := damagedLines(b, func(line string) bool {
		l, ok := ownership.ParseLedgerLine(line, sizes...)
		return ok && (line == l.ID || line+"\n" == l.String())
	})
	if n > 0 {
		k.warn(name, "sage/"+name, repo.Count(n, "damaged line")+", skipped", "")
		k.mend(&rewriteFix{name: "sage/" + name, file: file, again: func(s *Verifier) error {
			return s.ownership.RewriteLedger(file, func(l ownership.LedgerLine) ownership.LedgerLine { return l }, sizes...)
		}})
	}
}

func journalLineOK(line string) bool {
	l, ok := journal.ParseJournalLine(line)
	return strings.HasPrefix(line, "# ") || ok && len(line) == len("12345678 ")+len(l.Text)
}

// damagedLines counts the lines that are not ok. The last one may be on its way.
func damagedLines(b []byte, ok func(string) bool) (n int) {
	for line := range bytes.Lines(b) {
		if bytes.HasSuffix(line, []byte("\n")) && !ok(repo.Text(line)) {
			n++
		}
	}
	return n
}

// A rewriteFix lets a file of lines be written anew, without the damaged ones.
type rewriteFix struct {
	name, file string
	again      func(*Verifier) error
}

func (f *rewriteFix) about() string { return f.name }
func (f *rewriteFix) will() string  { return "rewrites it without them" }
func (f *rewriteFix) did() string   { return "rewritten without the damaged lines" }

func (f *rewriteFix) plan(k *checker, r *repair) error {
	return (&fileFix{file: f.file}).plan(k, r)
}

func (f *rewriteFix) do(_ context.Context, r *repair) error { return f.again(r.s) }
