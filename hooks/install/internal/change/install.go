// Package change installs and uninstalls: it edits a client's file, writes it with its
// record, and tries again if somebody else wrote it meanwhile.
package change

import (
	"errors"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
	"github.com/git-sage/git-sage/hooks/install/internal/predecessor"
	"github.com/git-sage/git-sage/hooks/install/internal/record"
	"github.com/git-sage/git-sage/hooks/install/internal/status"
)

// An Editor writes and removes entries.
type Editor struct{ status.Viewer }

// Install writes the entries of one part, and mends stale ones, unless another scope has the
// part here.
func (p Editor) Install(part place.Part, s place.Scope) (mend.Result, error) {
	command, err := p.Command(s)
	if err != nil {
		return mend.Result{}, err
	}
	if there := p.elsewhere(part, s); there != nil {
		return mend.Result{Path: there.Path, Notes: []string{already(*there, s)}}, nil
	}
	if part == place.Hooks && !p.Chosen {
		p.Programs = p.Programs || p.ChosePrograms(s)
	}
	return p.Change(part, s, func(d *draft.Draft, r *mend.Result) error {
		if d.Chosen = nil; part == place.Hooks {
			d.Chosen = &p.Programs
		}
		if s == place.Project {
			r.Notes = append(r.Notes, entry.Program+" must be on the PATH of everybody who uses this project")
		}
		k := p.Client.Kind()
		switch {
		case k == nil && p.HasPlugin():
			r.Notes = append(r.Notes, besidePlugin(part, s))
		case k != nil && k.Trusted != "":
			r.Notes = append(r.Notes, k.Trusted)
		case k != nil && s == place.Project && k.Shared != "":
			r.Notes = append(r.Notes, k.Shared)
		}
		switch {
		case k != nil && k.TOML:
			return mend.Table(d, r, p.Bin, command)
		case k != nil:
			return p.InstallServer(d, r, command, p.ServerPath(d), k.Entry(command))
		case part == place.MCP:
			return p.InstallServer(d, r, command, p.Servers(s), entry.ServerEntry(command))
		}
		return p.InstallHooks(d, r, command, s)
	})
}

// besidePlugin says what becomes of the plugin beside a part.
func besidePlugin(part place.Part, s place.Scope) string {
	if part == place.MCP && s == place.Project {
		return "the plugin " + status.PluginID + " has the server too: those who use it see every tool twice"
	}
	return "the plugin " + status.PluginID + " has the " + map[place.Part]string{place.Hooks: "hooks", place.MCP: "server"}[part] + " too: its own stay silent beside these"
}

// Uninstall takes the entries of one part out, and gives back hooks that were there before
// any was installed.
func (p Editor) Uninstall(part place.Part, s place.Scope) (mend.Result, error) {
	return p.Change(part, s, func(d *draft.Draft, r *mend.Result) error {
		if d.Fresh {
			d.Found, d.Exact = nil, false
		}
		sites := p.Sites(d, part, s)
		if d.Exact && len(sites) > 0 && len(sites) == len(p.All(d)) {
			return takeAll(d, sites, r)
		}
		for i := len(sites) - 1; i >= 0; i-- {
			if err := takeOut(d, p.Sites(d, part, s)[i], r); err != nil {
				return err
			}
		}
		rest := p.All(d)
		d.Gone = len(rest) > 0 && !slices.ContainsFunc(rest, func(s entry.Site) bool { return mend.Keeper(d, s) == nil })
		return nil
	})
}

// takeAll takes out all that a file has of ours.
func takeAll(d *draft.Draft, sites []entry.Site, r *mend.Result) error {
	for _, s := range sites {
		if f := mend.Keeper(d, s); f != nil {
			r.Leaves(s, f)
			continue
		}
		r.Changes = append(r.Changes, "removed "+s.Name())
	}
	d.Gone = len(d.Found) > 0
	return d.Reset()
}

// takeOut takes one entry out, unless its owner keeps it.
func takeOut(d *draft.Draft, s entry.Site, r *mend.Result) error {
	if f := mend.Keeper(d, s); f != nil {
		return mend.GiveBack(d, s, f, r)
	}
	r.Changes = append(r.Changes, "removed "+s.Name())
	return mend.Take(d, s)
}

// Change edits the file of a part, and tries again if somebody else wrote it
// meanwhile, as Claude Code often does.
func (p Editor) Change(part place.Part, s place.Scope, edit func(*draft.Draft, *mend.Result) error) (r mend.Result, err error) {
	path, follow, err := p.File(part, s)
	if err != nil {
		return r, err
	}
	for range 5 {
		r = mend.Result{Path: path}
		if err = p.once(&r, follow, part == place.Hooks && s == place.Local, edit); !errors.Is(err, disk.ErrBusy) {
			break
		}
	}
	if err == nil && !p.DryRun {
		p.sweep(&r)
	}
	return r, err
}

func (p Editor) once(r *mend.Result, follow, own bool, edit func(*draft.Draft, *mend.Result) error) error {
	t, err := disk.Open(r.Path, follow)
	if err != nil {
		return err
	}
	d, rec, err := p.draft(t)
	if err == nil {
		if d.Root != nil {
			r.Notes = append(r.Notes, predecessor.Notes(d.Src, d.Root)...)
		}
		err = edit(d, r)
	}
	if err == nil && len(r.Changes) > 0 && own && d.Chosen != nil { // nil: it is taken out
		err = p.exclude(r, rec)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; nothing was written", r.Path, err)
	}
	if (tells(d, rec) || len(r.Changes) > 0) && !p.DryRun {
		err = p.finish(t, d, rec)
	}
	if err == nil && p.included(d, rec) {
		err = p.include(r)
	}
	return err
}

// tells says whether there is something to record, or nothing any more, although a file
// stays as it is; what was chosen is taken down.
func tells(d *draft.Draft, rec *record.Record) bool {
	chose := d.Chosen != nil && rec.Programs != *d.Chosen
	if chose {
		rec.Programs = *d.Chosen
	}
	return chose || d.Gone || d.Fresh && len(d.Found) > 0
}
