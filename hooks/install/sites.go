package install

import "slices"

// sites are the entries of a part and scope in a file.
func (p Place) sites(d *draft, part Part, s Scope) []site {
	switch {
	case d.toml, p.Client.kind() != nil:
		return p.all(d)
	case d.root == nil:
		return nil
	case part == Hooks:
		return hookSites(d.src, d.root, p.Bin)
	}
	return serverSites(d.src, d.root, p.Bin, p.servers(s))
}

// nested is the path of keys to the servers of another client. opencode 2 has them one
// level deeper than opencode 1, and reads both: they go to where there are some.
func (p Place) nested(d *draft) []string {
	path := p.Client.kind().servers
	if n := d.root.get("mcp").get("servers"); p.Client == "opencode" && n.get("type") == nil && n.get("enabled") == nil && n != nil {
		return append(slices.Clone(path), "servers")
	}
	return path
}

// all are the entries of any part and scope in a file.
func (p Place) all(d *draft) []site {
	switch {
	case d.toml:
		return tableSites(d, p.Bin)
	case d.root == nil:
		return nil
	case p.Client.kind() != nil:
		return serverSites(d.src, d.root, p.Bin, p.nested(d))
	}
	return append(hookSites(d.src, d.root, p.Bin), serverSites(d.src, d.root, p.Bin, nil)...)
}
