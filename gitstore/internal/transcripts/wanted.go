package transcripts

import (
	"cmp"
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
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// A Wanted is a conversation that is to be kept: that of a checkpoint which was just
// saved. Keeping it takes as long as the transcript is long, so that a save only notes
// it, in a file of its own, and somebody whom nobody waits for does it.
type Wanted struct {
	Checkpoint string    `json:"checkpoint"` // id
	Session    string    `json:"session"`
	Transcript string    `json:"transcript"` // path
	Size       int64     `json:"size"`       // of the transcript, in bytes, when it was noted
	Time       time.Time `json:"time"`
}

// wantedKept is for how long a conversation is tried to be kept, where that fails.
const wantedKept = 7 * 24 * time.Hour

// Want notes that the conversation of w is to be kept. Once it returned nil, whoever keeps
// conversations here next keeps it, unless the power fails before or the transcript goes.
func (t *Transcripts) Want(w Wanted) error {
	if err := t.repo.Enabled(); err != nil {
		return err
	}
	w.Session, w.Time = t.repo.Options.Session, t.repo.Options.Now().UTC().Truncate(time.Second)
	if w.Session == "" || !t.repo.IsID(w.Checkpoint) || !filepath.IsAbs(w.Transcript) {
		return fmt.Errorf("note the conversation of %s: %w", record.Short(w.Checkpoint), ErrNoConversation)
	}
	b, err := json.Marshal(w)
	if err != nil {
		return err
	}
	if err := fsx.WriteDerived(t.wantedFile(w.Checkpoint), append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("note the conversation of %s: %w", record.Short(w.Checkpoint), err)
	}
	return nil
}

func (t *Transcripts) wantedFile(checkpoint string) string {
	return t.repo.Dir("wanted", checkpoint+".json")
}

// Wanted lists the conversations that are still to be kept, those that were noted first in
// front. What is too old, or cannot be read, is forgotten.
func (t *Transcripts) Wanted() (out []Wanted, err error) {
	list, err := fsx.ReadDir(t.repo.Dir("wanted"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for conversations to keep: %w", err)
	}
	for _, e := range list {
		id, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || !t.repo.IsID(id) {
			continue
		}
		var w Wanted
		b, err := fsx.ReadOwn(t.wantedFile(id))
		if err == nil && json.Unmarshal(b, &w) == nil && w.Checkpoint == id && t.repo.Options.Now().Sub(w.Time) < wantedKept {
			out = append(out, w)
		} else if err == nil {
			_ = fsx.Remove(t.wantedFile(id))
		}
	}
	slices.SortFunc(out, func(a, b Wanted) int { return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Size, b.Size)) })
	return out, nil
}

// unwant forgets a conversation that is kept, or that nobody may keep any more.
func (t *Transcripts) unwant(checkpoint string) error {
	err := fsx.Remove(t.wantedFile(checkpoint))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ForgetWanted lets nothing be kept that was noted until now.
func (t *Transcripts) ForgetWanted() error {
	list, err := t.Wanted()
	for _, w := range list {
		if uerr := t.unwant(w.Checkpoint); uerr != nil && err == nil {
			err = fmt.Errorf("forget the conversation of %s: %w", record.Short(w.Checkpoint), uerr)
		}
	}
	return err
}

// The client's own file has what a purge takes away, and keeps it. So what was said until
// a purge is never read again: the time of the last one is kept, whether conversations are
// or not.

func (t *Transcripts) floorFile() string { return t.repo.Dir("wanted", "since") }

// raiseFloor lets nothing be kept any more that was said until now, by whom it may be: the
// file is for all who share the repository.
func (t *Transcripts) raiseFloor() error {
	now := strconv.FormatInt(t.repo.Options.Now().Unix()+1, 10) // the whole second
	if err := fsx.WriteFile(t.floorFile(), []byte(now+"\n"), 0o666); err != nil {
		return fmt.Errorf("note the time of the purge: %w", err)
	}
	return nil
}

// PurgedAt is the time of the last purge: what was said until then is told to nobody, and
// nothing is made of it. It is zero if there was none.
func (t *Transcripts) PurgedAt() (time.Time, error) { return t.floor() }

// floor is the time until which nothing may be kept; zero if there was no purge. One that
// cannot be read is an error: then nothing may be kept at all.
func (t *Transcripts) floor() (time.Time, error) {
	b, err := fsx.ReadOwn(t.floorFile())
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, nil
	}
	at := record.Unix(git.Text(b))
	if err == nil && at.IsZero() {
		err = errors.New("it is not a time")
	}
	if err != nil {
		return at, fmt.Errorf("read the time of the last purge: %s: %w", t.floorFile(), err)
	}
	return at, nil
}
