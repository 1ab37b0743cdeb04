package rank

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall/doc"
)

// belowNewer puts what was replaced, or is contradicted by something newer, below that,
// and says so. Of items that replace each other, which a merge can leave, one stays
// above.
func belowNewer(list []Scored) []Scored {
	byKey := map[string]int{}
	for i := range list {
		byKey[list[i].Meta.Key] = i
	}
	for i := range list {
		list[i].outdate(byKey)
	}
	for i := range list {
		_, contradicts := doc.Standing(list[i].Meta)
		for _, key := range contradicts {
			if j, there := byKey[key]; there && i != j {
				olderOf(&list[i], &list[j])
			}
		}
	}
	out := lists.Behind(list, func(i int) []int { // what is newer takes its place, and this one comes next
		return lists.Map(list[i].Newer, func(key string) int { return byKey[key] })
	})
	for i := range out {
		out[i].forgetBelow(out[:i])
	}
	return out
}

// forgetBelow keeps of what is newer only what stands above s: in a circle the first
// counts as if nothing had replaced it.
func (s *Scored) forgetBelow(above []Scored) {
	if len(s.Newer) == 0 {
		return
	}
	s.Newer = slices.DeleteFunc(s.Newer, func(key string) bool {
		return !slices.ContainsFunc(above, func(a Scored) bool { return a.Meta.Key == key })
	})
	replacedBy, _ := doc.Standing(s.Meta)
	s.replaced = slices.ContainsFunc(s.Newer, func(key string) bool { return slices.Contains(replacedBy, key) })
}

// outdate says why s no longer holds, if so.
func (s *Scored) outdate(there map[string]int) {
	replacedBy, _ := doc.Standing(s.Meta)
	for _, key := range replacedBy {
		if _, ok := there[key]; ok {
			s.Newer = append(s.Newer, key)
		}
	}
	switch {
	case len(replacedBy) > 0:
		var ids []string
		for _, key := range replacedBy {
			ids = append(ids, doc.ID(key))
		}
		s.Outdated = "replaced by " + strings.Join(ids, ", ")
	case s.Meta.Status == "deprecated" || s.Meta.Status == "superseded":
		s.Outdated = s.Meta.Status
	}
}

// olderOf says of the older of two that contradict one another that it is. Of the same
// age the one that says so counts as newer.
func olderOf(says, other *Scored) {
	older, newer := other, says
	if says.Meta.Updated.Before(other.Meta.Updated) {
		older, newer = says, other
	}
	if older.Meta.Part == 0 && newer.Meta.Part > 0 {
		return // what nobody here stands for hides nothing of theirs
	}
	if !slices.Contains(older.Newer, newer.Meta.Key) && !slices.Contains(newer.Newer, older.Meta.Key) {
		older.Newer = append(older.Newer, newer.Meta.Key)
		if older.Outdated != "" {
			older.Outdated += ", "
		}
		older.Outdated += "contradicted by " + doc.ID(newer.Meta.Key) + ", which is newer"
	}
}

// Lacking are the keys of what replaced candidates that fit, and is no candidate: it
// may be recalled in their place.
func (r *Ranking) Lacking(ranked []Scored) (keys []string) {
	there := map[string]bool{}
	for i := range ranked {
		there[ranked[i].Meta.Key] = true
	}
	instead := r.inherited(ranked)
	for i := range ranked {
		replacedBy, _ := doc.Standing(ranked[i].Meta)
		if _, fits := r.Fits(&ranked[i]); !fits && instead[ranked[i].Meta.Key] == "" {
			continue
		}
		for _, key := range replacedBy {
			if !there[key] {
				keys, there[key] = append(keys, key), true
			}
		}
	}
	return keys
}

// inherited says of newer items, by key, why they are recalled in the place of those
// that are outdated and fit. ranked has what is newer before what is older.
func (r *Ranking) inherited(ranked []Scored) map[string]string {
	out := map[string]string{}
	for i := len(ranked) - 1; i >= 0; i-- {
		s := &ranked[i]
		why, fits := r.Fits(s)
		if from := out[s.Meta.Key]; !fits && from != "" {
			why, fits = from, true
		}
		for _, key := range s.Newer {
			if fits && out[key] == "" {
				out[key] = "newer than " + doc.ID(s.Meta.Key) + " (" + why + ")"
			}
		}
	}
	return out
}
