package install

import (
	"github.com/git-sage/git-sage/hooks/install/internal/change"
	"github.com/git-sage/git-sage/hooks/install/internal/look"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/status"
	"github.com/git-sage/git-sage/hooks/install/skills"
)

// A Place is a machine, as far as this package looks at it, and a client on it.
type Place place.Place

func (p Place) editor() change.Editor {
	return change.Editor{Viewer: status.Viewer{Files: look.Files{Place: place.Place(p)}}}
}

// Install writes the entries of one part, and mends stale ones. Nothing is installed twice:
// where another scope has the part here, the result says so, with no change. A file that is
// not valid JSON, that has another program's server under our name, or that is
// a link in a project is refused, with nothing written.
func (p Place) Install(part Part, s Scope) (Result, error) { return p.editor().Install(part, s) }

// Uninstall takes the entries of one part out, and restores the file as it was
// before they came. A hook that somebody wrote before is again as it was; where nothing
// is recorded to be installed, it goes too.
func (p Place) Uninstall(part Part, s Scope) (Result, error) { return p.editor().Uninstall(part, s) }

// RemovePredecessor takes the hooks and servers of the tool before us out of a client's files,
// in all scopes that there are here, and keeps the files as they were for
// [Place.RestorePredecessor].
func (p Place) RemovePredecessor() ([]Result, error) { return p.editor().RemovePredecessor() }

// RestorePredecessor puts the files back, byte for byte, from which RemovePredecessor took
// entries out. To one that changed since it adds the entries, unless a name is taken.
func (p Place) RestorePredecessor() ([]Result, error) { return p.editor().RestorePredecessor() }

// Status tells for each part and scope what is installed. Outside of a project
// there is the user's scope only.
func (p Place) Status() []State { return p.editor().Status() }

// Findings looks at Claude Code's files for what [Place.Status] does not tell: entries of
// the tool before us, hooks or the server switched off, a project that is not trusted,
// and entries that make two of one. What cannot be read finds nothing; Status tells that.
func (p Place) Findings() []Finding { return p.editor().Findings() }

// Lags says whether the hook before a compaction is not called for those that it is meant
// for, see [Place.Typed].
func (p Place) Lags(s Scope) bool { return p.editor().Lags(s) }

// HasPlugin says whether the plugin is switched on. Of the user's settings, the
// project's and the user's own there, the last that say something count.
func (p Place) HasPlugin() bool { return p.editor().HasPlugin() }

// Hooked says whether an entry in settings, apart from the plugin, answers an event,
// with a program that is there and whenever the plugin's would. The plugin's own then
// keeps silent: of two entries Claude Code calls both.
func (p Place) Hooked(arg string) bool { return p.editor().Hooked(arg) }

// Served says whether Claude Code starts the server for this person, apart from the
// plugin, with a program that is there. A project's server does not count: it waits
// for somebody's consent.
func (p Place) Served() bool { return p.editor().Served() }

// Asking are the projects beside this one whose local hooks, written from here, ask the
// server: other work trees of the same repository, which have its local server, and all
// that rely on the user's.
func (p Place) Asking() []string { return p.editor().Asking() }

// Projects are the roots of those in which the person has entries of their own, wherever
// they are.
func (p Place) Projects() []string { return p.editor().Projects() }

// Recorded are the files and folders in which something was written that was not taken out.
func (p Place) Recorded() []string { return p.editor().Recorded() }

// Unfinished are files that an install left which was killed: those of our pattern beside
// the files of any client, older than a minute, for another install may be at work.
func (p Place) Unfinished() []string { return p.editor().Unfinished() }

// Shelf is that of the user or of the project; a project that is one's own alone has
// none in Claude Code.
func (p Place) Shelf(s Scope) (*skills.Shelf, error) { return skills.Open(place.Place(p), s) }
