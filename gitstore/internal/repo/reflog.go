package repo

import (
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// A LogEntry is an entry of one of git's logs of a ref.
type LogEntry struct {
	ID, Says string // what the ref became, and why
	Stamp    string // the whole of it but says
}

// logEnds bounds what is read of the beginning or the end of a log, in bytes: some 80
// entries.
const logEnds = 16 << 10

// LogTail are the last entries of a log. One that cannot be read has none: refs in a
// table, core.logAllRefUpdates=false.
func LogTail(file string) (out []LogEntry) {
	b, whole, err := fsx.ReadEnd(file, logEnds)
	if err != nil {
		return nil
	}
	for i, l := range strings.Split(Text(b), "\n") {
		if e, ok := ParseLogged(l); ok && (i > 0 || whole) {
			out = append(out, e)
		}
	}
	return out
}

// ParseLogged reads `<old> <new> <who> <time> <zone>\t<why>`.
func ParseLogged(line string) (e LogEntry, ok bool) {
	head, says, ok := strings.Cut(line, "\t")
	f := strings.SplitN(head, " ", 3)
	if !ok || len(f) != 3 || !record.IsHex(f[0]) || !record.IsHex(f[1]) {
		return e, false
	}
	return LogEntry{ID: f[1], Says: says, Stamp: head}, true
}

func LoggedAt(line string) time.Time {
	head, _, _ := strings.Cut(line, "\t")
	f := strings.Fields(head)
	if len(f) < 2 {
		return time.Time{}
	}
	return record.Unix(f[len(f)-2])
}
