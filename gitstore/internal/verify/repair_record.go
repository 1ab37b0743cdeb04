package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/part"
)

// A repair is one run that changes something, and its record: a folder
// sage/repairs/<n> with record.json and the files that were replaced. The record
// is on disk before anything is changed.
type repair struct {
	s            *Verifier
	k            *checker
	n            int
	dir          string
	writerRecord repairRecord
}

type repairRecord struct {
	Format int          `json:"format"`
	At     time.Time    `json:"at"`
	Undone bool         `json:"undone,omitempty"`
	Steps  []repairStep `json:"steps"`
}

// A repairStep is what was replaced by what.
type repairStep struct {
	Kind    string    `json:"kind"`              // ref, object, lock, file or accept
	Subject string    `json:"subject"`           // ref, id or path
	Old     string    `json:"old,omitempty"`     // of a ref: the id before
	New     string    `json:"new,omitempty"`     // of a ref: the id after; "" if it was put aside
	Kept    string    `json:"kept,omitempty"`    // file beside the record with the bytes from before
	Journal string    `json:"journal,omitempty"` // what the journal said of the ref before
	Since   time.Time `json:"since,omitzero"`    // and since when
}

const repairFormat = 1

func (ve *Verifier) newRepair(ctx context.Context) (*repair, error) {
	n := 1
	if all := ve.repo.Repairs(); len(all) > 0 {
		n = all[len(all)-1] + 1
	}
	refs, err := ve.repo.Refs(ctx, repo.KeptPrefix)
	if err != nil {
		return nil, err
	}
	for _, ref := range refs { // a purge removes the folders and not the refs
		word, _, _ := strings.Cut(strings.TrimPrefix(ref.Name, repo.KeptPrefix), "/")
		if k, err := strconv.Atoi(word); err == nil {
			n = max(n, k+1)
		}
	}
	r := &repair{s: ve, n: n, dir: ve.repo.Dir("repairs", strconv.Itoa(n))}
	r.writerRecord = repairRecord{Format: repairFormat, At: ve.repo.Options.Now().UTC().Truncate(time.Second)}
	if err := fsx.Mkdir(ve.repo.Dir("repairs")); err != nil {
		return nil, err
	}
	return r, fsx.Mkdir(r.dir)
}

// keep copies bytes that are about to be replaced into the folder of the repair,
// and returns the name of the copy.
func (r *repair) keep(b []byte) (string, error) {
	name := fmt.Sprintf("%d.kept", len(r.writerRecord.Steps)+1)
	return name, fsx.WriteFile(filepath.Join(r.dir, name), b, 0o644)
}

func (r *repair) kept(step repairStep) ([]byte, error) {
	return fsx.ReadOwn(filepath.Join(r.dir, filepath.Base(step.Kept)))
}

func (r *repair) add(step repairStep) { r.writerRecord.Steps = append(r.writerRecord.Steps, step) }

// setJournal makes the journal say that a ref was acknowledged at id, "" that it
// was deleted. No step leads there from what it said before. If it says so already it
// is left alone: it may be another's, or the disk full.
func (ve *Verifier) setJournal(ref, id string, at time.Time) error {
	if e, known := ve.journal.LastEntry(ref); known && e.New == id && len(e.Begun) == 0 {
		return nil
	}
	return ve.journal.RewriteJournal(func(known map[string]journal.Entry) error {
		delete(known, ref)
		if id != "" {
			known[ref] = journal.Entry{New: id, At: at}
		}
		return nil
	})
}

func (r *repair) write() error {
	b, err := json.MarshalIndent(r.writerRecord, "", "  ")
	if err != nil {
		return err
	}
	return fsx.WriteFile(filepath.Join(r.dir, "record.json"), append(b, '\n'), 0o644)
}

// lastRepair is the newest one that was not taken back, or nil. One without a
// record changed nothing; one whose record cannot be read may have, and an older one
// is not taken back in its place.
func (ve *Verifier) lastRepair() (*repair, error) {
	for _, n := range slices.Backward(ve.repo.Repairs()) {
		r := &repair{s: ve, n: n, dir: ve.repo.Dir("repairs", strconv.Itoa(n))}
		b, err := fsx.ReadOwn(filepath.Join(r.dir, "record.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = json.Unmarshal(b, &r.writerRecord)
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read the record of repair %d: %w; nothing was undone; what it replaced is in '%s'", n, err, r.dir)
		}
		if !r.writerRecord.Undone {
			return r, nil
		}
	}
	return nil, nil
}

// Repairs is what repairs kept of what they replaced, as purge sees it.
func Repairs(r *repo.Repo) part.Part { return repairs{repo: r} }

type repairs struct {
	part.Nothing
	repo *repo.Repo
}

// Name is how messages call it.
func (repairs) Name() string { return "repairs" }

// Clean removes what a repair kept if that names or holds what is purged: such a repair
// cannot be undone any more.
func (p repairs) Clean(_ context.Context, r part.Rule) (out part.Cleaned, err error) {
	if r.Step != part.Remove {
		return out, nil
	}
	for _, n := range p.repo.Repairs() {
		dir := p.repo.Dir("repairs", strconv.Itoa(n))
		gone, err := holdsPurged(dir, r)
		if gone {
			err = fsx.RemoveAll(dir)
		}
		if err != nil {
			return out, fmt.Errorf("remove copies that repairs kept: %w", err)
		}
	}
	return out, nil
}

// holdsPurged reports whether a file below dir names an object that a purge changed, or
// holds what is purged, as it stands or inflated.
func holdsPurged(dir string, r part.Rule) (bool, error) {
	for _, f := range repo.FilesBelow(dir) {
		b, err := fsx.ReadOwn(f)
		if err != nil {
			return false, err
		}
		text := string(b) + loose.Inflated(b, git.MostSearched)
		ids := strings.FieldsFunc(text, func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) })
		if slices.ContainsFunc(ids, r.Changed) || r.Holds(text) {
			return true, nil
		}
	}
	return false, nil
}
