package look

import (
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// Sites are the entries of a part and scope in a file.
func (p Files) Sites(d *draft.Draft, part place.Part, s place.Scope) []entry.Site {
	switch {
	case d.TOML, p.Client.Kind() != nil:
		return p.All(d)
	case d.Root == nil:
		return nil
	case part == place.Hooks:
		return entry.HookSites(d.Src, d.Root, p.Bin)
	}
	return entry.ServerSites(d.Src, d.Root, p.Bin, p.Servers(s))
}

// ServerPath is the path of keys to the servers of another client. opencode 2 has them one
// level deeper than opencode 1, and reads both: they go to where there are some.
func (p Files) ServerPath(d *draft.Draft) []string {
	path := p.Client.Kind().Servers
	if n := d.Root.Get("mcp").Get("servers"); p.Client == "opencode" && n.Get("type") == nil && n.Get("enabled") == nil && n != nil {
		return append(slices.Clone(path), "servers")
	}
	return path
}

// All are the entries of any part and scope in a file.
func (p Files) All(d *draft.Draft) []entry.Site {
	switch {
	case d.TOML:
		return entry.TableSites(d, p.Bin)
	case d.Root == nil:
		return nil
	case p.Client.Kind() != nil:
		return entry.ServerSites(d.Src, d.Root, p.Bin, p.ServerPath(d))
	}
	return append(entry.HookSites(d.Src, d.Root, p.Bin), entry.ServerSites(d.Src, d.Root, p.Bin, nil)...)
}
