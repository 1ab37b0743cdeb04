package remotes

import (
	"encoding/json"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// A State is what happened with a remote lately, kept in sage/sync.json. It may go: what it says
// is found out anew.
type State struct {
	Looked  time.Time         `json:"looked,omitzero"`   // when it was asked last, with an answer
	Tried   time.Time         `json:"tried,omitzero"`    // when that was tried last
	Why     string            `json:"why,omitempty"`     // it did not answer
	Refs    int               `json:"refs,omitempty"`    // that it has
	Refused map[string]string `json:"refused,omitempty"` // by our refs that it refused: the value
	Reasons map[string]string `json:"reasons,omitempty"` // and why
	Gone    []string          `json:"gone,omitempty"`    // our refs that it had and deleted
	Stays   map[string]string `json:"stays,omitempty"`   // forks that it did not let go of: the value
}

func (r *Remotes) stateFile() string { return r.repo.Dir("sync.json") }

// maxState bounds the file that a session reads when it starts: one of 120 MB took it 1.4 s.
const maxState = 4 << 20

func (r *Remotes) states() map[string]State {
	all := map[string]State{}
	if st, err := fsx.Lstat(r.stateFile()); err != nil || st.Size() > maxState {
		return all
	}
	if b, err := fsx.ReadOwn(r.stateFile()); err == nil {
		_ = json.Unmarshal(b, &all)
	}
	return all
}

// state is what happened with a remote lately.
func (r *Remotes) state(name string) State { return r.states()[name] }

// Lately is what happened with each remote.
func (r *Remotes) Lately() map[string]State { return r.states() }

// keep changes what is kept of a remote. What cannot be written is found out again.
func (r *Remotes) keep(name string, change func(*State)) {
	all := r.states()
	s := all[name]
	change(&s)
	all[name] = s
	if b, err := json.Marshal(all); err == nil {
		_ = fsx.WriteDerived(r.stateFile(), b, 0o600)
	}
}
