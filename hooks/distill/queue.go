package distill

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-sage/git-sage/converse"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Queue is the conversations of a repository that wait to be distilled: a folder with a
// file for each session, which is there until its record is saved, and so outlives a
// process that was killed.
type Queue struct {
	Dir string // beside the memory
	Now func() time.Time
}

// QueueOf is the queue of the memory whose files lie in a folder.
func QueueOf(sageDir string, now func() time.Time) Queue {
	return Queue{filepath.Join(sageDir, "distill"), now}
}

// An Entry is a conversation that waits.
type Entry struct {
	Session    string    `json:"session"`
	Transcript string    `json:"transcript"`
	Dir        string    `json:"dir"`   // where the session was
	Until      int64     `json:"until"` // bytes of the transcript
	Trigger    string    `json:"trigger"`
	Queued     time.Time `json:"queued"`

	Tries     int       `json:"tries,omitempty"`
	NotBefore time.Time `json:"not_before,omitzero"`
	Refused   string    `json:"refused,omitempty"` // identity of who refused; others are asked
}

const (
	waitsFor  = 7 * 24 * time.Hour // then the record by rules has to do
	mostTries = 3                  // of a model that answers, and not well
	firstWait = 10 * time.Minute   // for a model that is busy; it doubles
	longest   = 6 * time.Hour
)

// Add has a conversation wait. One of the same session that waits already goes on in it.
func (q Queue) Add(e Entry) error {
	e.Queued = q.Now().UTC().Truncate(time.Second)
	if before, err := q.read(q.file(e.Session)); err == nil && before.Until <= e.Until {
		e.NotBefore, e.Refused, e.Queued = before.NotBefore, before.Refused, before.Queued
	}
	return q.write(e)
}

func (q Queue) write(e Entry) error {
	b, err := json.Marshal(e)
	if err == nil {
		err = writeFile(q.base(), q.file(e.Session), append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("queue the conversation: %w", err)
	}
	return nil
}

func (q Queue) base() string   { return filepath.Dir(q.Dir) }
func (q Queue) folder() string { return filepath.Join(q.Dir, "queue") }

func (q Queue) file(session string) string {
	return filepath.Join(q.folder(), fmt.Sprintf("%x", sha256.Sum256([]byte(session)))[:16]+".json")
}

func (q Queue) read(file string) (e Entry, err error) {
	if err := plainfile.CheckFolder(q.base(), q.folder()); err != nil {
		return e, err
	}
	b, err := plainfile.Read(file, maxOwn)
	if err == nil {
		err = json.Unmarshal(b, &e)
	}
	if err == nil && (q.file(e.Session) != file || !filepath.IsAbs(e.Transcript) || e.Session == "" || e.Until < 1) {
		err = errors.New("no entry of the queue")
	}
	return e, err
}

// maxOwn is above what any file of the queue has.
const maxOwn = 16 << 10

// names matches the files of the queue.
var names = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{16}\.json$`) })

// list reads the queue, and says which of its files are of no use: what is no entry, and
// what waited too long. A folder that a link leads to is not the queue.
func (q Queue) list() (waiting []Entry, useless []string) {
	if plainfile.CheckFolder(q.base(), q.folder()) != nil {
		return nil, nil
	}
	list, _ := os.ReadDir(q.folder()) // else nothing waits
	for _, f := range list {
		if !names().MatchString(f.Name()) {
			continue
		}
		file := filepath.Join(q.folder(), f.Name())
		e, err := q.read(file)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !errors.Is(err, plainfile.ErrOther):
		case err != nil, q.Now().Sub(e.Queued) > waitsFor:
			useless = append(useless, file)
		default:
			waiting = append(waiting, e)
		}
	}
	slices.SortFunc(waiting, func(a, b Entry) int {
		return cmp.Or(a.Queued.Compare(b.Queued), strings.Compare(a.Session, b.Session))
	})
	return waiting, useless
}

// All are the conversations that wait, the longest first.
func (q Queue) All() []Entry {
	waiting, _ := q.list()
	return waiting
}

// Sweep removes what waited too long, and what is no entry.
func (q Queue) Sweep() error {
	var errs []error
	_, useless := q.list()
	for _, file := range useless {
		errs = append(errs, os.Remove(file))
	}
	return errors.Join(errs...)
}

// Due are those that may be distilled now by who has an identity.
func (q Queue) Due(identity string) []Entry {
	return slices.DeleteFunc(q.All(), func(e Entry) bool {
		return e.NotBefore.After(q.Now()) || e.Refused != "" && e.Refused == identity
	})
}

// Done forgets an entry, unless its session went on meanwhile.
func (q Queue) Done(e Entry) error {
	now, err := q.read(q.file(e.Session))
	if errors.Is(err, fs.ErrNotExist) || err == nil && now.Until > e.Until {
		return nil
	}
	return os.Remove(q.file(e.Session))
}

// Clear forgets all that wait.
func (q Queue) Clear() error {
	switch err := plainfile.CheckFolder(q.base(), q.folder()); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return os.RemoveAll(q.folder())
}

// Failed notes that an entry could not be distilled, and when it is tried again. gone says
// that it is not, and the record by rules stays.
func (q Queue) Failed(e Entry, identity string, err error) (gone bool, _ error) {
	busy, isBusy := errors.AsType[*converse.BusyError](err)
	_, isRefused := errors.AsType[*converse.RefusedError](err)
	switch {
	case isBusy:
		wait := min(firstWait<<min(e.Tries, 6), longest)
		e.Tries, e.NotBefore = e.Tries+1, q.Now().Add(max(busy.After, min(wait, longest))).UTC().Truncate(time.Second)
	case isRefused:
		e.Refused = identity
	default:
		if e.Tries++; e.Tries >= mostTries || errors.Is(err, ErrEmpty) {
			return true, q.Done(e)
		}
		e.NotBefore = q.Now().Add(firstWait).UTC().Truncate(time.Second)
	}
	if now, rerr := q.read(q.file(e.Session)); rerr == nil && now.Until > e.Until { // it went on
		now.Tries, now.NotBefore, now.Refused = e.Tries, e.NotBefore, e.Refused
		e = now
	}
	return false, q.write(e)
}

// writeFile puts a file below base in the place of another, whole, in a folder of its
// owner's.
func writeFile(base, file string, b []byte) error {
	if err := plainfile.MakeFolderIn(base, filepath.Dir(file)); err != nil {
		return err
	}
	return plainfile.Write(file, b)
}
