package watch

import (
	"encoding/json"
	"time"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/internal/plainfile"
)

const (
	// keepFor is for how long a transcript that nobody writes to is remembered.
	keepFor  = 7 * 24 * time.Hour
	maxState = 16 << 20 // bytes
)

// A state is what a daemon remembers for the next one.
type state struct {
	Folder string               `json:"folder"`
	At     time.Time            `json:"at"` // when it was written: what changed since is new
	Files  map[string]fileState `json:"files"`
}

type fileState struct {
	Position transcript.Position `json:"position,omitzero"`
	From     int64               `json:"from,omitempty"`
	Dir      string              `json:"dir,omitempty"`
	Summary  string              `json:"summary,omitempty"`
	Active   bool                `json:"active,omitempty"`
	Live     bool                `json:"live,omitempty"`
}

// readState is what the last daemon knew of a folder; ok is false if nothing is known.
func (p Place) readState(folder string) (s state, ok bool) {
	b, err := p.read(p.stateFile())
	if err != nil || json.Unmarshal(b, &s) != nil || s.Folder != folder {
		return state{}, false
	}
	return s, true
}

func (p Place) writeState(s state) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return plainfile.Write(p.stateFile(), append(b, '\n'))
}

// remember is what there is to remember. What is being dealt with is not dealt with yet.
func (w *watcher) remember(now Moment) state {
	s := state{Folder: w.o.Folder, At: now.Wall, Files: map[string]fileState{}}
	for name, f := range w.files {
		if f.active || now.Wall.Sub(f.mod) < keepFor {
			s.Files[name] = fileState{f.pos, f.from, f.dir, f.summary, f.active, f.live}
		}
	}
	return s
}
