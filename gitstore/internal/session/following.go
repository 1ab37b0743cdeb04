package session

import (
	"maps"

	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A Following is where the line that goes with git's branch is (follow_branch). Nothing
// is written to find it, and a repository where it is known needs no process for it: a
// few files are read.
type Following struct {
	Branch   string // git's branch; "": nothing is followed
	Detached bool   // HEAD is on no branch, and belongs to that one
	Line     string
	Bond     *Bond  // what is kept here of that; nil is nothing yet
	Was      string // the name that the branch had, if it was renamed since; "" is the same
	Start    string // of a line that does not exist yet: the checkpoint that its first one continues; "" is none
}

// Follow is where that is, as it was found when somebody asked first.
func (s *Memory) Follow() (f Following) {
	if look := s.Followed.Load(); look != nil {
		return (*look)()
	}
	return f
}

// movedTo is a stand on the branch that HEAD is on now. Where a session stood on other
// branches is kept, so that it goes on from there when HEAD comes back. Who went to another
// line while branches were not followed stays there.
func (t Stand) movedTo(f Following) Stand {
	switch {
	case f.Branch == "" || t.Branch == f.Branch:
		return t
	case t.Branch == "" && (t.Line == f.Line || t.Line != refname.DefaultLine), f.Was != "" && t.Branch == f.Was:
		t.Branch = f.Branch
		return t
	}
	others := maps.Clone(t.Others)
	if t.Branch != "" {
		if others == nil {
			others = map[string]spot{}
		}
		others[t.Branch] = spot{t.Line, t.Ref, t.Seen}
	}
	at, known := others[f.Branch]
	delete(others, f.Branch)
	if !known || !at.sound() {
		at = spot{Line: f.Line}
	}
	t.Branch, t.Line, t.Ref, t.Seen, t.Others = f.Branch, at.Line, at.Ref, at.Seen, thin(others)
	return t
}

// mostSpots bounds the branches on which a session is known to have stood.
const mostSpots = 50

func thin(m map[string]spot) map[string]spot {
	for name := range m {
		if len(m) <= mostSpots {
			break
		}
		delete(m, name)
	}
	return m
}

// A Bond is what is kept here of a git branch and its line, beside git. It says that the
// branch was here, so that one that is gone can be told from one that is a teammate's;
// and what was decided here stands against what others' notes say.
type Bond struct {
	Branch  string `json:"branch"`
	Line    string `json:"line"`
	Created string `json:"created,omitempty"` // which branch of that name: see Store.created
	From    string `json:"from,omitempty"`    // the commit at which it was made, else its commit then
	Noted   bool   `json:"noted,omitempty"`   // lines/<line>.yaml says so, too
}
