// Package reflog reads git's logs of refs.
package reflog

import (
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// A Entry is an entry of one of git's logs of a ref.
type Entry struct {
	ID, Says string // what the ref became, and why
	Stamp    string // the whole of it but says
}

// logEnds bounds what is read of the beginning or the end of a log, in bytes: some 80
// entries.
const logEnds = 16 << 10

// Tail are the last entries of a log. One that cannot be read has none: refs in a
// table, core.logAllRefUpdates=false.
func Tail(file string) (out []Entry) {
	b, whole, err := fsx.ReadEnd(file, logEnds)
	if err != nil {
		return nil
	}
	for i, l := range strings.Split(git.Text(b), "\n") {
		if e, ok := Parse(l); ok && (i > 0 || whole) {
			out = append(out, e)
		}
	}
	return out
}

// Parse reads `<old> <new> <who> <time> <zone>\t<why>`.
func Parse(line string) (e Entry, ok bool) {
	head, says, ok := strings.Cut(line, "\t")
	f := strings.SplitN(head, " ", 3)
	if !ok || len(f) != 3 || !record.IsHex(f[0]) || !record.IsHex(f[1]) {
		return e, false
	}
	return Entry{ID: f[1], Says: says, Stamp: head}, true
}

// At is when the entry in a line was made; zero if the line says no time.
func At(line string) time.Time {
	head, _, _ := strings.Cut(line, "\t")
	f := strings.Fields(head)
	if len(f) < 2 {
		return time.Time{}
	}
	return record.Unix(f[len(f)-2])
}
