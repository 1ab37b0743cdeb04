package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// OldJournal is the second name of a journal that is being replaced. One that
// stays belongs to a writer that was killed; readers read it first.
func (j *Journal) OldJournal() string { return fsx.OldName(j.JournalFile()) }

// ReadJournal returns what a replaced journal left, and the journal.
func (j *Journal) ReadJournal() (old, now []byte, err error) { return j.readJournal(fsx.ReadOwn) }

func (j *Journal) readJournal(read func(file string) ([]byte, error)) (old, now []byte, err error) {
	if old, err = ifThere(read(j.OldJournal())); err == nil {
		now, err = ifThere(read(j.JournalFile()))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read the journal: %w", err)
	}
	if len(old) > 0 {
		old = append(old, '\n')
	}
	return old, now, nil
}

func ifThere(b []byte, err error) ([]byte, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}

// compactJournal writes the journal anew if it is twice as long as after the last
// time. It may fail: the journal is longer then.
func (j *Journal) compactJournal(size int64) {
	b, err := fsx.ReadOwn(j.JournalFile())
	if err != nil {
		return
	}
	head, _, _ := strings.Cut(string(b[:min(len(b), 40)]), "\n")
	if n, err := strconv.ParseInt(strings.TrimPrefix(head, "# "), 10, 64); err == nil && size < 2*n {
		return
	}
	_ = j.RewriteJournal(func(map[string]Entry) error { return nil })
}

// rewriteWait is how long a writer waits for another that rewrites the journal.
const rewriteWait = 2 * time.Second

// RewriteJournal lets change say what the journal knows: one line a ref, none for
// what is deleted. What others append meanwhile stays, see [fsx.Supersede].
func (j *Journal) RewriteJournal(change func(map[string]Entry) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), rewriteWait)
	defer cancel()
	l, _, err := fsx.TryLock(ctx, j.JournalFile()+".lock")
	if err != nil {
		return fmt.Errorf("rewrite the journal: %w", err)
	}
	if ctx.Err() != nil && l == nil {
		return errors.New("rewrite the journal: another process is rewriting it")
	}
	defer l.Unlock()
	old, now, err := j.readJournal(fsx.ReadLines)
	if err != nil {
		return err
	}
	known := lastOfEach(append(old, now...))
	if err = change(known); err == nil {
		err = fsx.Supersede(j.JournalFile(), journalOf(known), int64(len(now)), fsx.WriteFile) // else a power cut takes all of it
	}
	if err != nil {
		return fmt.Errorf("rewrite the journal: %w", err)
	}
	return nil
}

// journalOf writes entries as a journal, with its length in the first line.
func journalOf(known map[string]Entry) []byte {
	var b strings.Builder
	for _, ref := range slices.Sorted(maps.Keys(known)) {
		e := known[ref]
		if e.New == "" {
			continue
		}
		b.WriteString(journalText(Move{ref, e.Old, e.New}, e.At, "", ""))
		for _, to := range e.Begun {
			b.WriteString(journalText(Move{ref, e.New, to}, e.At, "?", ""))
		}
	}
	return fmt.Appendf(nil, "# %d\n%s", b.Len(), b.String())
}
