// Package status tells what is installed and what is amiss with it. It writes nothing.
package status

import (
	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/look"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/predecessor"
)

// A State is what is installed of one part in one scope.
type State struct {
	Part      place.Part
	Scope     place.Scope
	Path      string   // the file
	Installed bool     // entirely: every hook, or the server
	Commands  []string // what the entries run, each once
	Asks      bool     // hooks ask the server at frequent events
	Programs  bool     // hooks start programs at these, too, since somebody chose that
	Unheard   bool     // and nothing starts that server for them
	Lacks     []string // events without a hook, where others have one: an older install
	Missing   []string // those of the commands that cannot be found
	Stale     []string // those that are not this git-sage
	Others    []string // entries of the tool that git-sage succeeds, in words
	Err       error    // why the file cannot be read; nothing else is known then
}

// A Viewer says what is installed.
type Viewer struct{ look.Files }

// Status tells for each part and scope what is installed. Outside of a project
// there is the user's scope only.
func (p Viewer) Status() (list []State) {
	for _, part := range p.Parts() {
		for _, s := range p.Scopes() {
			list = append(list, p.State(part, s))
		}
	}
	return list
}

// State tells what is installed of a part in a scope.
func (p Viewer) State(part place.Part, s place.Scope) State {
	st := State{Part: part, Scope: s}
	path, _, err := p.File(part, s)
	st.Path = path
	var t *disk.File
	var d *draft.Draft
	if err == nil {
		t, err = disk.Open(path, true) // to read, any link will do
	}
	if err == nil {
		d, err = p.Read(t.Data)
	}
	if err != nil {
		st.Err = err
		return st
	}
	sites := p.Sites(d, part, s)
	p.commands(&st, d, sites)
	if part == place.Hooks && len(sites) > 0 {
		st.Lacks, st.Programs = lacking(sites), p.ChosePrograms(s)
	}
	st.Installed = len(sites) > 0 && len(st.Lacks) == 0
	if d.Root != nil {
		st.Others = predecessor.Notes(d.Src, d.Root)
	}
	return st
}

func (p Viewer) commands(st *State, d *draft.Draft, sites []entry.Site) {
	want, _ := p.Command(st.Scope)
	seen := map[string]bool{}
	for _, s := range sites {
		if entry.IsAsked(d.Src, s.Value) {
			st.Asks, st.Unheard = true, !p.AsksServer(st.Scope)
			continue
		}
		c := s.Program(d.Src)
		if seen[c] {
			continue
		}
		seen[c] = true
		st.Commands = append(st.Commands, c)
		if !place.CanRun(c) {
			st.Missing = append(st.Missing, c)
		}
		if c != want {
			st.Stale = append(st.Stale, c)
		}
	}
}

func lacking(sites []entry.Site) (names []string) {
	seen := map[string]bool{}
	for _, s := range sites {
		seen[s.Event] = true
	}
	for _, e := range entry.Events(false) {
		if !seen[e.Name] {
			names = append(names, e.Name)
		}
	}
	return names
}
