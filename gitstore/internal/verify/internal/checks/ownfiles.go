package checks

import (
	"bytes"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// OwnFiles checks our own files beside git's: each may be lost or torn without harm
// to a checkpoint, but then less is noticed.
type OwnFiles struct {
	Journal   *journal.Journal
	Ownership *ownership.Ownership
}

func (c OwnFiles) Run(p *pass.Pass) {
	if b, err := fsx.ReadOwn(p.Repo.Dir("id")); err == nil && (len(git.Text(b)) != 32 || !record.IsHex(git.Text(b))) {
		p.Warn("id", "sage/id", "holds "+pass.Quoted(b)+", not an id; derived data is ignored")
		p.Mend(&fixes.File{Path: p.Repo.Dir("id"), Name: "sage/id", What: "moves it aside", Done: "moved aside; initializing the memory again creates a new one"})
	}
	if b, err := fsx.ReadOwn(c.Journal.JournalFile()); err == nil {
		if n := damagedLines(b, journalLineOK); n > 0 {
			p.Warn("journal", "sage/journal", legible.Count(n, "damaged line")+", skipped")
			p.Mend(&fixes.Rewrite{Name: "sage/journal", Path: c.Journal.JournalFile(), Again: func() error {
				return c.Journal.RewriteJournal(func(map[string]journal.Entry) error { return nil })
			}})
		}
	}
	n := len(p.Repo.Objects.Zero())
	c.list(p, "own", c.Ownership.OwnFile(), n)
	c.list(p, "vouched", c.Ownership.VouchedFile(), ownership.SumSize, n)
	c.list(p, "taken", c.Ownership.TakenFile(), ownership.SumSize, n)
	c.lines(p, "trusted", c.Ownership.TrustedFile(), ownership.IsTrustLine)
	c.lines(p, "arrived", c.Ownership.ArrivedFile(), ownership.IsArrivalLine)
	c.versions(p, n)
}

// versions checks the list of the versions that users left.
func (c OwnFiles) versions(p *pass.Pass, ids int) {
	b, err := fsx.ReadOwn(c.Ownership.VersionsFile())
	if err != nil {
		return
	}
	n := damagedLines(b, func(line string) bool {
		l, ok := ownership.ParseVersionLine(line, ids)
		return ok && line+"\n" == l.String()
	})
	if n > 0 {
		p.Warn("versions", "sage/versions", legible.Count(n, "damaged line")+", skipped")
		p.Mend(&fixes.Rewrite{Name: "sage/versions", Path: c.Ownership.VersionsFile(), Again: func() error { return c.Ownership.MendVersions() }})
	}
}

// lines checks a list whose lines stand each for itself; what is not ok is taken out.
func (c OwnFiles) lines(p *pass.Pass, name, file string, ok func(string) bool) {
	b, err := fsx.ReadOwn(file)
	if err != nil {
		return
	}
	if n := damagedLines(b, ok); n > 0 {
		p.Warn(name, "sage/"+name, legible.Count(n, "damaged line")+", skipped")
		p.Mend(&fixes.Rewrite{Name: "sage/" + name, Path: file, Again: func() error { return c.Ownership.KeepLines(file, ok) }})
	}
}

// list checks a list of what is one's own.
func (c OwnFiles) list(p *pass.Pass, name, file string, sizes ...int) {
	b, err := fsx.ReadOwn(file)
	if err != nil {
		return
	}
	n := damagedLines(b, func(line string) bool {
		l, ok := ownership.ParseLedgerLine(line, sizes...)
		return ok && (line == l.ID || line+"\n" == l.String())
	})
	if n > 0 {
		p.Warn(name, "sage/"+name, legible.Count(n, "damaged line")+", skipped")
		p.Mend(&fixes.Rewrite{Name: "sage/" + name, Path: file, Again: func() error {
			return c.Ownership.RewriteLedger(file, func(l ownership.LedgerLine) ownership.LedgerLine { return l }, sizes...)
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
		if len(line) > 1 && bytes.HasSuffix(line, []byte("\n")) && !ok(git.Text(line)) { // an empty one says nothing
			n++
		}
	}
	return n
}
