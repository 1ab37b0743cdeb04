package change

import (
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// InstallHooks adds the hooks to a draft, and mends those that are there.
func (p Editor) InstallHooks(d *draft.Draft, r *mend.Result, command string, scope place.Scope) error {
	for _, e := range entry.Events(p.Typed) {
		ours := func() []entry.Site {
			if d.Root == nil {
				return nil
			}
			return slices.DeleteFunc(entry.HookSites(d.Src, d.Root, p.Bin), func(s entry.Site) bool { return s.Event != e.Name })
		}
		if len(ours()) == 0 {
			r.Changes = append(r.Changes, "added hook "+e.Name)
			if err := mend.AddGroup(d, e.Name, entry.Group(e.Matcher, e.Hook(command, p.AsksServer(scope)))); err != nil {
				return err
			}
			continue
		}
		for sites := ours(); len(sites) > 1; sites = ours() {
			r.Changes = append(r.Changes, "removed a second hook "+e.Name)
			if err := mend.Take(d, sites[len(sites)-1]); err != nil {
				return err
			}
		}
		theirs := mend.Keeper(d, ours()[0]) != nil
		want, correct := e.Hook(command, p.AsksServer(scope)), mend.Entry
		if want[0].Value == "mcp_tool" {
			correct = func(d *draft.Draft, s entry.Site, r *mend.Result, _ string, want jsonc.Object) error {
				return mend.Asking(d, s, r, want)
			}
		}
		if err := correct(d, ours()[0], r, command, want); err != nil {
			return err
		}
		if !theirs {
			if err := mend.Matcher(d, ours()[0], r, e.Matcher); err != nil {
				return err
			}
		}
	}
	return nil
}
