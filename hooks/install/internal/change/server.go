package change

import (
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
)

// InstallServer adds the server to a draft at the end of a path of keys, or mends it.
func (p Editor) InstallServer(d *draft.Draft, r *mend.Result, command string, path []string, want jsonc.Object) error {
	if d.Root != nil {
		if sites := entry.ServerSites(d.Src, d.Root, p.Bin, path); len(sites) > 0 {
			return mend.Entry(d, sites[0], r, command, want)
		}
		n := d.Root
		for _, key := range path {
			n = n.Get(key)
		}
		if other := n.Get(entry.Server); other != nil {
			program, _ := entry.Invocation(d.Src, other)
			return mend.OtherServer(program)
		}
	}
	r.Changes = append(r.Changes, "added server '"+entry.Server+"'")
	return d.Put(path, entry.Server, want)
}
