package look

import (
	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/record"
)

// AsksServer says whether hooks of a scope ask the server at frequent events: a server
// that runs answers a prompt in a third of the time of a program that starts, for it has
// the model at hand. Wherever the hooks are, it has to be there, too, and nobody has to
// consent to it, as to a project's: else each event would show an error.
func (p Files) AsksServer(s place.Scope) bool {
	any := func(string) bool { return true } // of one that cannot be found, doctor tells
	return !p.Programs && s != place.Project && (p.Serves(place.User, any) || s == place.Local && p.Serves(place.Local, any))
}

// ChosePrograms says whether somebody chose that the hooks of a scope start programs. It is
// known while they are installed.
func (p Files) ChosePrograms(s place.Scope) bool {
	path, follow, err := p.File(place.Hooks, s)
	if err != nil {
		return false
	}
	t, err := disk.Open(path, follow)
	if err != nil {
		return false
	}
	rec := record.Folder(p.Records).OfFile(t.Path)
	return rec != nil && rec.Programs
}

// Serves says whether Claude Code starts the server by an entry of a scope, with a
// program that is good.
func (p Files) Serves(s place.Scope, good func(program string) bool) bool {
	if s != place.User && p.Root == "" {
		return false
	}
	if there, planned := p.Planned[s]; planned {
		return there
	}
	d := p.Look(place.MCP, s)
	if d == nil {
		return false
	}
	for _, at := range entry.ServerSites(d.Src, d.Root, p.Bin, p.Servers(s)) {
		if good(at.Program(d.Src)) {
			return true
		}
	}
	return false
}
