package status

import (
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/place"
)

// Lags says whether the hook before a compaction is not called for those that it is meant
// for, see Typed of [place.Place].
func (p Viewer) Lags(s place.Scope) bool {
	d := p.Look(place.Hooks, s)
	if d == nil {
		return false
	}
	i := slices.IndexFunc(entry.HookSites(d.Src, d.Root, p.Bin), func(s entry.Site) bool { return s.Event == "PreCompact" })
	if i < 0 {
		return false
	}
	typed := entry.HookSites(d.Src, d.Root, p.Bin)[i].On[3].Get("matcher").Text(d.Src) != entry.AutoCompaction
	return typed != p.Typed
}
