package sage

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A RefState says how what a code reference refers to is now, its lines or all of its
// file, compared to what the reference saw of it. The zero value is not known: the
// reference has no blob, or there is no work tree to look at.
type RefState struct {
	State string `json:"state,omitempty"`      // current, changed, moved or gone
	To    string `json:"moved_to,omitempty"`   // of one that moved, the file where it is now; also of lines that changed there
	Lines [2]int `json:"moved_lines,omitzero"` // and its lines there, if they are others
	Now   [2]int `json:"lines_now,omitzero"`   // of lines or a symbol that changed, those that have their place
	Diff  string `json:"diff,omitempty"`       // and the first of what changed, as in a unified diff

	NoLines bool `json:"-"` // of one that is gone: the file is as it was, and has no such lines
}

// The states of a reference.
const (
	RefCurrent = "current" // the file, or the lines or symbol that are meant, are as they were
	RefChanged = "changed" // they are there with other content
	RefMoved   = "moved"   // another file has the content, or other lines have
	RefGone    = "gone"    // there is no such file, or it never had such lines
)

// IsStale reports whether a reference does not hold as it stands.
func (s RefState) IsStale() bool { return s.State != "" && s.State != RefCurrent }

// IsBroken reports whether what a reference refers to is no longer there as it was.
func (s RefState) IsBroken() bool { return s.State == RefChanged || s.State == RefGone }

// Outlived says of a reference to lines or a symbol that changed, or to code that is gone,
// that it was written for that; "" of any other. A file that changed elsewhere is no reason.
func (r CodeRef) Outlived(now RefState) string {
	r.Relevance = ""
	switch {
	case now.State == RefGone:
		return "written for code that is gone: " + legible.OneLine(r.Line())
	case now.State == RefChanged && (r.Lines != [2]int{} || r.Symbol != "" && now.Now != [2]int{}):
		return "written for " + r.Older()
	}
	return ""
}

// Older names the version that a reference saw of code that changed.
func (r CodeRef) Older() string {
	what := r.Symbol
	if what == "" {
		r.Relevance = ""
		what = r.Line()
	}
	return "an older version of " + legible.OneLine(what)
}

// String is "current", "CHANGED since[ and moved to <file>]", "MOVED to
// <file>[:<from>-<to>]", "GONE", "NO SUCH LINES" or "".
func (s RefState) String() string {
	switch s.State {
	case RefChanged:
		if s.To != "" {
			return "CHANGED since and moved to " + s.To
		}
		return "CHANGED since"
	case RefMoved:
		to := "MOVED to " + s.To
		switch {
		case s.Lines == [2]int{}:
			return to
		case s.Lines[0] == s.Lines[1]:
			return fmt.Sprintf("%s:%d", to, s.Lines[0])
		}
		return fmt.Sprintf("%s:%d-%d", to, s.Lines[0], s.Lines[1])
	case RefGone:
		if s.NoLines {
			return "NO SUCH LINES"
		}
		return "GONE"
	}
	return s.State
}
