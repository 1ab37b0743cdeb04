package history

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// A Past is what the ancestors of a commit tell. Several goroutines may ask it.
type Past struct {
	h       *History
	commits []change // the newest first
	number  map[string]uint32
	changes []int32 // by path: how many commits changed it
	newest  int64
}

// A change is a commit that changed files, by their names of today.
type change struct {
	files []uint32
	terms []words.Term
	time  int64
}

// At adds up what a commit and its ancestors tell. ok is false if it was not read.
func (h *History) At(oid string) (p *Past, ok bool) {
	id, ok := idOf(oid)
	if !ok {
		return nil, false
	}
	at, ok := h.place[id]
	if !ok {
		return nil, false
	}
	in := make([]bool, len(h.commits))
	in[at] = true
	for next := []int32{at}; len(next) > 0; {
		c := &h.commits[next[len(next)-1]]
		next = next[:len(next)-1]
		for _, parent := range c.parents {
			if i, ok := h.place[parent]; ok && !in[i] {
				in[i] = true
				next = append(next, i)
			}
		}
	}
	return h.past(func(i int) bool { return in[i] }), true
}

// All adds up what all commits tell.
func (h *History) All() *Past { return h.past(func(int) bool { return true }) }

func (h *History) past(in func(int) bool) *Past {
	p := &Past{h: h, number: make(map[string]uint32, len(h.paths)), changes: make([]int32, len(h.paths))}
	for i, path := range h.paths {
		p.number[path] = uint32(i)
	}
	today := map[uint32]uint32{} // the name that a renamed file has now
	name := func(f uint32) uint32 {
		if n, ok := today[f]; ok {
			return n
		}
		return f
	}
	for i := range h.commits {
		c := &h.commits[i]
		if !in(i) {
			continue
		}
		p.newest = max(p.newest, c.time)
		if len(c.files) > 0 {
			files := make([]uint32, len(c.files))
			for k, f := range c.files {
				files[k] = name(f)
				p.changes[files[k]]++
			}
			p.commits = append(p.commits, change{files, c.terms, c.time})
		}
		for _, r := range c.renames {
			today[r[0]] = name(r[1])
		}
	}
	return p
}

// Changes is how many commits changed a file.
func (p *Past) Changes(file string) int {
	if n, ok := p.number[file]; ok {
		return int(p.changes[n])
	}
	return 0
}

// A Companion is a file that changes with another.
type Companion struct {
	Path    string
	Commits int     // that changed both
	Share   float64 // of those that changed the other
	Lift    float64 // how many times as often as by chance
}

// support is in how many commits two files changed at least, and leastLift how many times as
// often as by chance: a change log changes with everything, and is of none. Where a history is
// short, chance tells little, and two files belong together that change with each other more
// often than alone: by alike, the share of the commits that change both among those that
// change either (Jaccard).
const support, leastLift, alike = 2, 1.5, .5

// isLog reports whether a file is by its name a list of changes.
func isLog(file string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(path.Base(file)), ".")
	return slices.Contains([]string{"changes", "changelog", "history", "news", "releases", "release-notes", "release_notes"}, stem)
}

// strength orders companions: how often they change together, and how much more often than
// by chance.
func (c *Companion) strength() float64 { return c.Share * math.Log(max(c.Lift, leastLift)) }

// Companions are the files that changed with one, the strongest first.
func (p *Past) Companions(file string) (out []Companion) {
	n, ok := p.number[file]
	if !ok || p.changes[n] == 0 {
		return nil
	}
	together := map[uint32]int{}
	for i := range p.commits {
		if slices.Contains(p.commits[i].files, n) {
			for _, f := range p.commits[i].files {
				if f != n {
					together[f]++
				}
			}
		}
	}
	for _, f := range slices.Sorted(maps.Keys(together)) {
		k := together[f]
		share := float64(k) / float64(p.changes[n])
		c := Companion{p.h.paths[f], k, share, share * float64(len(p.commits)) / float64(p.changes[f])}
		either := float64(p.changes[n]) + float64(p.changes[f]) - float64(k)
		if k >= support && (c.Lift >= leastLift || float64(k) >= alike*either && !isLog(c.Path) && !isLog(file)) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Companion) int {
		return cmp.Or(cmp.Compare(b.strength(), a.strength()), cmp.Compare(a.Path, b.Path))
	})
	return out
}
