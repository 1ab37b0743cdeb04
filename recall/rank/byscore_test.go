package rank

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/recall/index"
)

func scoredAs(key string, score float64, newer ...string) Scored {
	return Scored{Hit: &index.Hit{Meta: &index.Meta{Key: key}}, Score: score, Newer: newer}
}

func TestByScore(t *testing.T) {
	for name, tc := range map[string]struct {
		list []Scored
		want string
	}{
		"the best first":           {[]Scored{scoredAs("a", .4), scoredAs("b", .9), scoredAs("c", .6)}, "b c a"},
		"those alike as they came": {[]Scored{scoredAs("b", .5), scoredAs("a", .5)}, "b a"},
		"what was replaced behind": {[]Scored{scoredAs("new", .4), scoredAs("old", .9, "new"), scoredAs("c", .6)}, "c new old"},
		"and what replaced that":   {[]Scored{scoredAs("3", .3), scoredAs("2", .5, "3"), scoredAs("1", .9, "2"), scoredAs("c", .4)}, "c 3 2 1"},
		"each replaces the other":  {[]Scored{scoredAs("a", .3, "b"), scoredAs("b", .5, "a"), scoredAs("c", .4)}, "c a b"},
		"what replaced it is gone": {[]Scored{scoredAs("old", .9, "gone"), scoredAs("c", .4)}, "old c"},
	} {
		ByScore(tc.list, func(s *Scored) *Scored { return s })
		if got := keys(tc.list); got != tc.want {
			t.Errorf("%s: %s instead of %s", name, got, tc.want)
		}
	}
}

// Whatever replaces what, nothing that is shown stands above what replaced it, if that
// stood before it, and of others the better one stands first.
func TestByScoreKeepsWhatReplaced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []Scored
		for i := range rapid.IntRange(0, 8).Draw(t, "n") {
			s := scoredAs(string(rune('a'+i)), float64(rapid.IntRange(0, 5).Draw(t, "score"))/5)
			for range rapid.IntRange(0, 2).Draw(t, "newer") {
				if i > 0 {
					s.Newer = append(s.Newer, string(rune('a'+rapid.IntRange(0, i-1).Draw(t, "by"))))
				}
			}
			list = append(list, s)
		}
		ByScore(list, func(s *Scored) *Scored { return s })
		at := map[string]int{}
		for i := range list {
			at[list[i].Meta.Key] = i
		}
		for i, s := range list {
			if slices.ContainsFunc(s.Newer, func(key string) bool { return at[key] > i }) {
				t.Fatalf("%s stands above what replaced it: %s", s.Meta.Key, keys(list))
			}
			if i > 0 && len(s.Newer)+len(list[i-1].Newer) == 0 && s.Score > list[i-1].Score {
				t.Fatalf("%v before %v", list[i-1].Score, s.Score)
			}
		}
	})
}
