package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// remember reads what refs were last, and what was made here.
func (k *checker) remember() {
	k.known = map[string]was{}
	entries, err := k.s.journaled()
	if err != nil {
		k.unreadJournal = err
		k.warn("journal", "sage/journal", plainError(err)+"; what others take away goes unseen", k.awayCure(k.s.journalFile()))
	}
	for name, e := range entries {
		if isAcknowledged(name) {
			k.known[name] = was{id: e.new, when: e.at, source: "the journal", may: e}
		}
	}
	if k.own, err = k.s.ownIDs(); err != nil {
		k.warn("own", "sage/own", plainError(err)+"; what was made here counts as foreign", k.awayCure(k.s.ownFile()))
	}
}

// awayCure is what to type where a file of ours cannot be read: what is no file goes
// aside, and the next save makes another.
func (k *checker) awayCure(file string) string {
	for _, path := range []string{k.s.dir(), file} {
		st, err := fsx.Lstat(path)
		if err == nil && (path == file && !st.Mode().IsRegular() || path != file && !st.IsDir()) {
			return fmt.Sprintf("mv '%s' '%s.aside'", path, path)
		}
	}
	return "give yourself the right to read and write '" + file + "'"
}

// backedUp is the value that the backup has for a ref.
func (k *checker) backedUp(name string) was {
	if id := k.s.backupRefs(k.s.backupDir())[name]; id != "" {
		return was{id: id, source: "the backup"}
	}
	return was{}
}

// beside checks our own files beside git's: each may be lost or torn without harm
// to a checkpoint, but then less is noticed.
func (k *checker) beside() {
	if b, err := fsx.ReadOwn(k.s.dir("id")); err == nil && (len(text(b)) != 32 || !isHex(text(b))) {
		k.warn("id", "sage/id", "holds no id but "+quoted(b)+"; derived data is not believed", "")
		k.mend(&fileFix{file: k.s.dir("id"), name: "sage/id", what: "puts it aside", done: "put aside; 'git sage init' makes another"})
	}
	if b, err := fsx.ReadOwn(k.s.journalFile()); err == nil {
		if n := damagedLines(b, journalLineOK); n > 0 {
			k.warn("journal", "sage/journal", count(n, "damaged line")+", passed over", "")
			k.mend(&rewriteFix{name: "sage/journal", file: k.s.journalFile(), again: func(s *Store) error {
				return s.rewriteJournal(func(map[string]entry) error { return nil })
			}})
		}
	}
	n := len(k.s.objects.Zero())
	k.ledger("own", k.s.ownFile(), n)
	k.ledger("vouched", k.s.vouchedFile(), sumSize, n)
	k.versions(n)
}

// versions checks the list of the versions that users left.
func (k *checker) versions(ids int) {
	b, err := fsx.ReadOwn(k.s.versionsFile())
	if err != nil {
		return
	}
	n := damagedLines(b, func(line string) bool {
		l, ok := parseVersionLine(line, ids)
		return ok && line+"\n" == l.String()
	})
	if n > 0 {
		k.warn("versions", "sage/versions", count(n, "damaged line")+", passed over", "")
		k.mend(&rewriteFix{name: "sage/versions", file: k.s.versionsFile(), again: func(s *Store) error { return s.mendVersions() }})
	}
}

// ledger checks a list of what is one's own.
func (k *checker) ledger(name, file string, sizes ...int) {
	b, err := fsx.ReadOwn(file)
	if err != nil {
		return
	}
	n := damagedLines(b, func(line string) bool {
		l, ok := parseLedgerLine(line, sizes...)
		return ok && (line == l.id || line+"\n" == l.String())
	})
	if n > 0 {
		k.warn(name, "sage/"+name, count(n, "damaged line")+", passed over", "")
		k.mend(&rewriteFix{name: "sage/" + name, file: file, again: func(s *Store) error {
			return s.rewriteLedger(file, func(l ledgerLine) ledgerLine { return l }, sizes...)
		}})
	}
}

func journalLineOK(line string) bool {
	l, ok := parseJournalLine(line)
	return strings.HasPrefix(line, "# ") || ok && len(line) == len("12345678 ")+len(l.text)
}

// damagedLines counts the lines that are not ok. The last one may be on its way.
func damagedLines(b []byte, ok func(string) bool) (n int) {
	for line := range bytes.Lines(b) {
		if bytes.HasSuffix(line, []byte("\n")) && !ok(text(line)) {
			n++
		}
	}
	return n
}

// A rewriteFix lets a file of lines be written anew, without the damaged ones.
type rewriteFix struct {
	name, file string
	again      func(*Store) error
}

func (f *rewriteFix) about() string { return f.name }
func (f *rewriteFix) will() string  { return "writes it anew, without them" }
func (f *rewriteFix) did() string   { return "written anew, without what was damaged" }

func (f *rewriteFix) plan(k *checker, r *repair) error {
	return (&fileFix{file: f.file}).plan(k, r)
}

func (f *rewriteFix) do(_ context.Context, r *repair) error { return f.again(r.s) }
