package skills

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/record"
)

// A Skill is a text that Claude Code offers to a model by name and description: the
// file SKILL.md in a folder of its name.
type Skill struct {
	Name, Description, Text string
}

// A State says how a skill lies on a shelf, in words for people.
type State string

// The states of a skill.
const (
	Missing State = "not installed"
	Current State = "installed"
	Edited  State = "installed, edited"
	Older   State = "installed, an older version"
	Both    State = "installed, an older version, edited"
	Foreign State = "another skill of that name"
)

// A Shelf is the folder in which Claude Code finds the skills of a scope.
type Shelf struct {
	// Merge brings together what was made of base by two sides; ok is false if they
	// disagree. [Shelf.Install] and [Shelf.Update] need it.
	Merge func(base, ours, theirs []byte) (merged []byte, ok bool, err error)

	place  place.Place
	dir    string
	follow bool // links
}

// Open returns the shelf of the user or of the project; a project that is one's own alone
// has none in Claude Code.
func Open(p place.Place, s place.Scope) (*Shelf, error) {
	switch {
	case s == place.User && p.Home != "":
		return &Shelf{place: p, dir: filepath.Join(p.Settings(), "skills"), follow: true}, nil
	case s == place.User:
		return nil, errors.New("no home folder")
	case s != place.Project:
		return nil, errors.New("skills are the user's or the project's")
	case p.Root == "":
		return nil, errors.New("not in a project, so only your own skills can be used: add '--user'")
	}
	return &Shelf{place: p, dir: filepath.Join(p.Root, ".claude", "skills")}, nil
}

// A shelved is what is recorded of a shelf: what lies on it that we put there.
type shelved struct {
	Path   string           `json:"path"`
	Dirs   []string         `json:"dirs,omitempty"` // folders made for it and it among them, innermost first
	Skills map[string]bound `json:"skills"`
}

// A bound is what is recorded of a skill.
type bound struct {
	Text string `json:"text"`           // as it was written, what edits begin from
	Made bool   `json:"made,omitempty"` // its folder was not there before
}

func (sh *Shelf) record() *shelved {
	r := new(shelved)
	if !record.Folder(sh.place.Records).Read(sh.dir, r) || r.Path != sh.dir || r.Skills == nil {
		return &shelved{Path: sh.dir, Skills: map[string]bound{}}
	}
	return r
}

// note writes the record, or removes it and the folders when nothing of ours is left.
func (sh *Shelf) note(r *shelved) error {
	if len(r.Skills) > 0 {
		return record.Folder(sh.place.Records).Write(sh.dir, r)
	}
	for _, d := range r.Dirs {
		if os.Remove(d) != nil { // somebody uses it by now
			break
		}
	}
	record.Folder(sh.place.Records).Drop(sh.dir)
	return nil
}

// Path is the file of a skill.
func (sh *Shelf) Path(name string) string { return filepath.Join(sh.dir, name, "SKILL.md") }

// State says how a skill lies here, compared with the text that k has.
func (sh *Shelf) State(k Skill) (State, error) {
	t, err := disk.Open(sh.Path(k.Name), true) // to read, any link will do
	if err != nil {
		return "", err
	}
	return sh.state(t, k, sh.record()), nil
}

func (sh *Shelf) state(t *disk.File, k Skill, r *shelved) State {
	b, known := r.Skills[k.Name]
	switch {
	case t.Missing:
		return Missing
	case bytes.Equal(t.Data, []byte(k.Text)):
		return Current
	case !known:
		return Foreign
	case string(t.Data) == b.Text:
		return Older
	case b.Text == k.Text:
		return Edited
	}
	return Both
}
