package history

// Prune leaves the commits that are among some, by their ids, and the paths that these name.
// It returns h itself where all are.
func (h *History) Prune(reachable []string) *History {
	ids := make(map[uint64]string, len(reachable))
	for _, oid := range reachable {
		if id, ok := idOf(oid); ok {
			ids[id] = oid
		}
	}
	r, parents := newReader(&History{}), map[uint64]bool{}
	for _, c := range h.commits {
		if ids[c.id] == "" {
			continue
		}
		files, renames := c.files, c.renames
		c.files, c.renames = nil, nil
		for _, f := range files {
			c.files = append(c.files, r.numberOf(h.paths[f]))
		}
		for _, n := range renames {
			c.renames = append(c.renames, [2]uint32{r.numberOf(h.paths[n[0]]), r.numberOf(h.paths[n[1]])})
		}
		for _, p := range c.parents {
			parents[p] = true
		}
		r.commits = append(r.commits, c)
	}
	if len(r.commits) == len(h.commits) {
		return h
	}
	out := &History{commits: r.commits, paths: r.paths}
	for _, c := range out.commits {
		if !parents[c.id] {
			out.tips = append(out.tips, ids[c.id])
		}
	}
	out.index()
	return out
}
