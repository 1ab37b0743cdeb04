package confirm

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// The file sage/imported lists the transcripts that an import has read: the size of each in
// bytes, its session and, behind a tab each, the record that was made of it, and the sum that
// tells how it began. A record that was removed or purged is not imported again, and a session
// that held nothing is not read again.

// An Import is what an import read of a session.
type Import struct {
	Size   int64  // of the transcript, in bytes
	Record string // id of the checkpoint; "" if the session held nothing, or a purge took it
	Sum    string // of the transcript as far as it was read; "" is not known
}

func (co *Confirmer) importedFile() string { return co.repo.Dir("imported") }

// Imported returns the sessions whose transcripts were imported.
func (co *Confirmer) Imported() (map[string]Import, error) {
	b, err := fsx.ReadOwn(co.importedFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read which sessions were imported: %w", err)
	}
	known := map[string]Import{}
	for l := range strings.Lines(string(b)) {
		size, rest, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		session, record, _ := strings.Cut(rest, "\t")
		record, sum, _ := strings.Cut(record, "\t")
		n, err := strconv.ParseInt(size, 10, 64)
		if err != nil || session == "" {
			continue
		}
		if _, gone := co.rewritten.Purged(record); gone {
			record = ""
		}
		known[session] = Import{n, record, sum}
	}
	return known, nil
}

// NoteImported adds a session to [Confirmer.Imported].
func (co *Confirmer) NoteImported(session string, i Import) error {
	line := fmt.Sprintf("%d %s", i.Size, legible.OneLine(session))
	if i.Record != "" {
		line += "\t" + i.Record
		if i.Sum != "" {
			line += "\t" + i.Sum
		}
	}
	if _, err := fsx.Append(co.importedFile(), []byte(line+"\n")); err != nil {
		return fmt.Errorf("record which sessions were imported: %w", err)
	}
	return nil
}
