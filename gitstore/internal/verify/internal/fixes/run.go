package fixes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A Run is one repair that changes something, and its record: a folder sage/repairs/<n>
// with record.json and the files that were replaced. The record is on disk before anything
// is changed.
type Run struct {
	Rooms
	Dir    string // the folder
	source Source
	n      int
	record repairRecord
}

type repairRecord struct {
	Format int       `json:"format"`
	At     time.Time `json:"at"`
	Undone bool      `json:"undone,omitempty"`
	Steps  []Step    `json:"steps"`
}

// A Step is what was replaced by what.
type Step struct {
	Kind    string    `json:"kind"`              // ref, object, lock, file or accept
	Subject string    `json:"subject"`           // ref, id or path
	Old     string    `json:"old,omitempty"`     // of a ref: the id before
	New     string    `json:"new,omitempty"`     // of a ref: the id after; "" if it was put aside
	Kept    string    `json:"kept,omitempty"`    // file beside the record with the bytes from before
	Journal string    `json:"journal,omitempty"` // what the journal said of the ref before
	Since   time.Time `json:"since,omitzero"`    // and since when
}

const repairFormat = 1

// Begin makes the folder of the next repair. from has objects that may be missing here; nil
// is none.
func (rs Rooms) Begin(ctx context.Context, from Source) (*Run, error) {
	n := 1
	if all := rs.Repo.Repairs(); len(all) > 0 {
		n = all[len(all)-1] + 1
	}
	refs, err := rs.Repo.Refs(ctx, refname.KeptPrefix)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs { // a purge removes the folders and not the refs
		word, _, _ := strings.Cut(strings.TrimPrefix(ref.Name, refname.KeptPrefix), "/")
		if k, err := strconv.Atoi(word); err == nil {
			n = max(n, k+1)
		}
	}
	r := &Run{Rooms: rs, source: from, n: n, Dir: rs.Repo.Dir("repairs", strconv.Itoa(n))}
	r.record = repairRecord{Format: repairFormat, At: rs.Repo.Options.Now().UTC().Truncate(time.Second)}
	if err := fsx.Mkdir(rs.Repo.Dir("repairs")); err != nil {
		return nil, err
	}
	return r, fsx.Mkdir(r.Dir)
}

// keep copies bytes that are about to be replaced into the folder of the repair,
// and returns the name of the copy.
func (r *Run) keep(b []byte) (string, error) {
	name := fmt.Sprintf("%d.kept", len(r.record.Steps)+1)
	return name, fsx.WriteFile(filepath.Join(r.Dir, name), b, 0o644)
}

// addKept adds a step that is about to replace a file, of which reading returned b and err,
// and keeps what it holds. A file that is not there leaves nothing to keep.
func (r *Run) addKept(step Step, b []byte, err error) error {
	switch {
	case os.IsNotExist(err):
		r.Add(step)
		return nil
	case err != nil:
		return err
	}
	step.Kept, err = r.keep(b)
	r.Add(step)
	return err
}

func (r *Run) kept(step Step) ([]byte, error) {
	return fsx.ReadOwn(filepath.Join(r.Dir, filepath.Base(step.Kept)))
}

// At is when the repair was made.
func (r *Run) At() time.Time { return r.record.At }

// Add adds a step to the record, which Write writes.
func (r *Run) Add(step Step) { r.record.Steps = append(r.record.Steps, step) }

// SetJournal makes the journal say that a ref was acknowledged at id, "" that it
// was deleted. No step leads there from what it said before. If it says so already it
// is left alone: it may be another's, or the disk full.
func (rs Rooms) SetJournal(ref, id string, at time.Time) error {
	if e, known := rs.Journal.LastEntry(ref); known && e.New == id && len(e.Begun) == 0 {
		return nil
	}
	return rs.Journal.RewriteJournal(func(known map[string]journal.Entry) error {
		delete(known, ref)
		if id != "" {
			known[ref] = journal.Entry{New: id, At: at}
		}
		return nil
	})
}

// Write writes the record.
func (r *Run) Write() error {
	b, err := json.MarshalIndent(r.record, "", "  ")
	if err != nil {
		return err
	}
	return fsx.WriteFile(filepath.Join(r.Dir, "record.json"), append(b, '\n'), 0o644)
}

// Last is the newest repair that was not taken back, or nil. One without a
// record changed nothing; one whose record cannot be read may have, and an older one
// is not taken back in its place.
func (rs Rooms) Last() (*Run, error) {
	for _, n := range slices.Backward(rs.Repo.Repairs()) {
		r := &Run{Rooms: rs, n: n, Dir: rs.Repo.Dir("repairs", strconv.Itoa(n))}
		b, err := fsx.ReadOwn(filepath.Join(r.Dir, "record.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = json.Unmarshal(b, &r.record)
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read the record of repair %d: %w; nothing was undone; what it replaced is in '%s'", n, err, r.Dir)
		}
		if !r.record.Undone {
			return r, nil
		}
	}
	return nil, nil
}
