package distill

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/converse"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/internal/plainfile"
)

// A Trouble is why a conversation could not be distilled last.
type Trouble struct {
	Time time.Time `json:"time"`
	Why  string    `json:"why"`
	Cure string    `json:"cure,omitempty"` // what to type; "" is that it passes
}

func (q Queue) troubleFile() string { return filepath.Join(q.Dir, "trouble.json") }

// NoteTrouble notes why a conversation could not be distilled; nil is that one could.
func (q Queue) NoteTrouble(err error) error {
	if err == nil {
		if err := plainfile.CheckFolder(q.base(), q.Dir); err != nil {
			return nil // there is no note
		}
		if err := os.Remove(q.troubleFile()); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	t := Trouble{Time: q.Now().UTC().Truncate(time.Second), Why: converse.Clipped(hint.Error(err))}
	if refused, ok := errors.AsType[*converse.RefusedError](err); ok {
		t.Cure = refused.Cure
	}
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return writeFile(q.base(), q.troubleFile(), append(b, '\n'))
}

// Trouble is what went wrong last, nil if nothing did since a conversation was distilled.
func (q Queue) Trouble() *Trouble {
	var t Trouble
	b, err := plainfile.Read(q.troubleFile(), maxOwn)
	if err != nil || json.Unmarshal(b, &t) != nil {
		return nil
	}
	return &t
}
