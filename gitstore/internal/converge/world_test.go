package converge_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/converge"
)

// A world is clones of a history that consists of nothing but ids. A join's id
// is made of its parents', anything else has a name.
type world struct {
	parents map[string][]string
	joins   map[string]bool
	above   map[string]map[string]bool // all ancestors of a commit, itself too
	clones  []*clone
	saved   int
}

type clone struct {
	tip     string
	made    bool
	tracked map[int]string
	waited  int
	saw     string
}

func newWorld(n int) *world {
	w := &world{parents: map[string][]string{}, joins: map[string]bool{}, above: map[string]map[string]bool{}}
	for range n {
		w.clones = append(w.clones, &clone{tracked: map[int]string{}})
	}
	return w
}

func (w *world) add(join bool, name string, parents []string) string {
	sum := sha256.Sum256([]byte(name + "\n" + strings.Join(parents, " ")))
	id := hex.EncodeToString(sum[:4])
	w.parents[id], w.joins[id] = parents, join
	w.above[id] = map[string]bool{id: true}
	for _, p := range parents {
		for a := range w.above[p] {
			w.above[id][a] = true
		}
	}
	return id
}

func (w *world) Parents(id string) ([]string, bool, error) {
	if w.above[id] == nil {
		return nil, false, fmt.Errorf("no commit %s", id)
	}
	return w.parents[id], w.joins[id], nil
}

func (w *world) Independent(ids []string) ([]string, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	return slices.DeleteFunc(slices.Clone(ids), func(a string) bool {
		return slices.ContainsFunc(ids, func(b string) bool { return a != b && w.above[b][a] })
	}), nil
}

// save makes a commit on the tip of a clone.
func (w *world) save(i int) {
	c := w.clones[i]
	var parents []string
	if c.tip != "" {
		parents = []string{c.tip}
	}
	w.saved++
	c.tip, c.made = w.add(false, fmt.Sprint("saved ", w.saved), parents), false
}

func (w *world) fetch(i, from int) {
	if tip := w.clones[from].tip; tip != "" {
		w.clones[i].tracked[from] = tip
	}
}

// merge does what MergeFetched does with one ref.
func (w *world) merge(i int, from ...int) error {
	c := w.clones[i]
	ref := converge.Ref{Local: c.tip, Made: c.made, Remotes: len(c.tracked)}
	for _, j := range from {
		if t := c.tracked[j]; t != "" {
			ref.Offered = append(ref.Offered, t)
		}
	}
	for _, t := range c.tracked {
		ref.Known = append(ref.Known, t)
	}
	step, err := converge.Decide(w, ref)
	if err != nil {
		return err
	}
	if step.Act == converge.Wait && !c.patient(len(from), step.Patience) {
		step.Act = converge.Join
	}
	switch step.Act {
	case converge.Forward:
		c.tip, c.made = step.Tips[0], false
	case converge.Join:
		c.tip, c.made = w.add(true, "", step.Tips), true
	}
	return nil
}

// patient counts the tips that brought nothing new.
func (c *clone) patient(n, most int) bool {
	saw := c.tip + fmt.Sprint(c.tracked)
	if saw != c.saw {
		c.saw, c.waited = saw, 0
	}
	c.waited += n
	return c.waited <= most
}

// met reports whether all clones have one tip.
func (w *world) met() bool {
	for _, c := range w.clones {
		if c.tip != w.clones[0].tip {
			return false
		}
	}
	return true
}
