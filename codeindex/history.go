package codeindex

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/history"
)

// historyName is the file with what commits tell. There is one: what another branch or work
// tree has beside it is added.
const historyName = prefix + "history.hist"

// A kept history is the file as it was last read.
type keptHistory struct {
	made string // size and time of the file
	*history.History
}

// ReadHistory reads the commits that lead to rev, "" is HEAD, as far as they were not read
// before. Searches use what was read, and read nothing themselves.
func (x *Index) ReadHistory(ctx context.Context, rev string, full bool) error {
	if x.o.Dir == "" {
		return errNoPlace
	}
	tip := x.resolve(ctx, rev)
	if tip == "" { // nothing is committed yet
		return ctx.Err()
	}
	var old *history.History
	if !full {
		old = x.history()
	}
	h, err := history.Read(ctx, x.o.Git, cmp.Or(x.o.Top, "."), tip, old)
	if err != nil { // a clone without trees has no files of its commits
		return ctx.Err()
	}
	if h == old {
		return nil
	}
	return x.folder.Write(historyName, func(w io.Writer) error { return h.Write(w, x.id("history")) })
}

// resolve is the id of a commit, "" if there is none, or if it is a range.
func (x *Index) resolve(ctx context.Context, rev string) (oid string) {
	oid = x.oneLine(ctx, "rev-parse", "-q", "--verify", cmp.Or(rev, "HEAD")+"^{commit}", "--")
	if strings.ContainsAny(oid, "^\n") {
		return ""
	}
	return oid
}

// oneLine is what git prints, "" where it fails.
func (x *Index) oneLine(ctx context.Context, args ...string) (line string) {
	_ = x.o.Git.Records(ctx, func(raw []byte) bool {
		line = strings.TrimSpace(string(raw))
		return true
	}, append([]string{"-C", cmp.Or(x.o.Top, ".")}, args...)...)
	return line
}

// history is what was read of commits, or nil. What is damaged goes.
func (x *Index) history() *history.History {
	st, err := os.Stat(x.folder.Path(historyName))
	if err != nil {
		return nil
	}
	made := fmt.Sprint(st.Size(), st.ModTime().UnixNano())
	x.mu.RLock()
	kept := x.kept
	x.mu.RUnlock()
	if kept.made == made {
		return kept.History
	}
	h, err := x.openHistory()
	x.drop(historyName, err)
	x.mu.Lock()
	x.kept = keptHistory{made, h}
	x.mu.Unlock()
	return h
}

func (x *Index) openHistory() (*history.History, error) {
	f, err := x.folder.Open(historyName)
	if err != nil {
		return nil, err
	}
	return history.Open(f, x.id("history"))
}

// past begins to look up what the history tells of a view, and returns what waits for it:
// nil if that is nothing.
func (x *Index) past(ctx context.Context, rev string) func() *history.Past {
	done := make(chan *history.Past, 1)
	go func() {
		h := x.history()
		if h == nil {
			done <- nil
			return
		}
		p, ok := h.At(x.resolve(ctx, rev))
		if !ok && rev == "" { // HEAD moved on since
			p = h.All()
		}
		done <- p
	}()
	return func() *history.Past { return <-done }
}
