package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// DefaultThresholds are what the score of an item must reach, by its type: .70 is
// where one foreign prompt in twenty recalls something of 250 items. That of knowledge is
// the store's own where nobody sets it, see thresholdBySize.
var DefaultThresholds = map[string]float64{
	"knowledge":  0.70,
	"preference": 0.30,
	"todo":       0.40,
	"reference":  0.80,
	"failure":    0.50,
}

const (
	defaultProactive = 0.40 // threshold of what nobody asked for
	DefaultMaxItems  = 3
	DefaultMaxTokens = 2000
)

// ProactiveType is the key of the threshold that counts when nobody asked.
const ProactiveType = "proactive"

// Threshold is what a candidate must reach, and the setting that says so.
func (r *Ranking) Threshold(s *Scored) (float64, string) {
	kind := s.Meta.Type
	if r.Proactive {
		kind = ProactiveType
	} else if s.isLearned() {
		kind = "knowledge"
	}
	setting := "recall_threshold_" + kind
	switch kind {
	case "knowledge":
		setting = "recall_threshold"
	case ProactiveType:
		setting = "proactive_threshold"
	}
	if t, ok := r.Thresholds[kind]; ok {
		return t, setting
	}
	switch {
	case r.Proactive:
		return defaultProactive, setting
	case kind == "knowledge" && len(s.Triggers.Common) > 0: // which counts in full: less would recall by it alone
		return mostThreshold, setting
	case kind == "knowledge" && r.Learned > 0 && s.texts > 0:
		return r.Learned, setting
	case kind == "knowledge":
		return thresholdBySize(s.texts), setting
	}
	return DefaultThresholds[kind], setting
}

// Choose marks what is recalled of ranked candidates and says of each why or why not.
// It returns those that are, in the order in which they are shown: what is always
// shown first, not counted among the items but within the tokens, then the best. What
// was replaced is never recalled where what replaced it could be, which takes its
// place, and what is contradicted by something newer only behind that. What was written
// for code that changed comes behind what was not, or not at all. Who asks outright is given
// what comes nearest where nothing reaches its threshold.
func (r *Ranking) Choose(ranked []Scored) []Scored {
	c := choice{most: positive(r.MaxTokens, DefaultMaxTokens), chosen: map[string]bool{}}
	c.left = c.most
	for i := range ranked {
		s := &ranked[i]
		s.Threshold, _ = r.Threshold(s)
		if s.Meta.Always && s.Outdated == "" {
			c.take(s, "always")
		}
	}
	instead, n := r.inherited(ranked), 0
	for _, s := range r.oursFirst(outlivedLast(ranked), instead) {
		if s.Meta.Always && s.Outdated == "" {
			continue
		}
		why, ok := r.Fits(s)
		if from := instead[s.Meta.Key]; !ok && from != "" {
			why, ok = from, true
		}
		switch {
		case !ok:
			s.Why = why
		case s.replaced, slices.ContainsFunc(s.Newer, func(key string) bool { return !c.chosen[key] }):
			s.Why = s.Outdated
		case r.Withhold && s.Outlived != "":
			s.Why = s.Outlived + " (recall_stale)"
		case n == r.Most():
			s.Why = fmt.Sprintf("%d better ones (recall_max_items)", n)
		case c.take(s, why):
			n++
		}
	}
	if r.Asked && n == 0 {
		r.chooseNearest(&c, ranked)
	}
	return c.out
}

// oursFirst are candidates in their order, but for what nobody here stands for: of that some
// come behind what somebody does that fits, so that they take less than half of the places and
// no tokens from it. Anybody can send what ranks before all others.
func (r *Ranking) oursFirst(list []*Scored, instead map[string]string) []*Scored {
	if !slices.ContainsFunc(list, func(s *Scored) bool { return s.Meta.IsForeign() }) {
		return list
	}
	var ours, rest []*Scored
	for _, s := range list {
		_, ok := r.Fits(s)
		ok = (ok || instead[s.Meta.Key] != "") && !s.Meta.Always && !s.replaced && len(s.Newer) == 0 && !(r.Withhold && s.Outlived != "")
		if ok && !s.Meta.IsForeign() && len(ours) < (r.Most()+1)/2 {
			ours = append(ours, s)
		} else {
			rest = append(rest, s)
		}
	}
	return append(ours, rest...)
}

// outlivedLast are candidates in their order, with those behind that were written for code
// that changed.
func outlivedLast(list []Scored) (out []*Scored) {
	var behind []*Scored
	for i := range list {
		if list[i].Outlived == "" {
			out = append(out, &list[i])
		} else {
			behind = append(behind, &list[i])
		}
	}
	return append(out, behind...)
}

// chooseNearest chooses what comes nearest, however weak it is: who asks outright can judge.
// Of 60 prompts that share no word with the fact that they need 11 have it among
// these three and none reaches the threshold (testdata/facts).
func (r *Ranking) chooseNearest(c *choice, ranked []Scored) {
	for i, n := 0, 0; i < len(ranked) && n < r.Most(); i++ {
		s := &ranked[i]
		if s.Chosen || s.Outdated != "" {
			continue
		}
		if c.take(s, fmt.Sprintf("asked for: nothing reaches its threshold; the nearest is %.2f", s.Score)) {
			s.Weak, c.out[len(c.out)-1].Weak = true, true
			n++
		}
	}
}

// A choice is being made.
type choice struct {
	most, left int // tokens
	chosen     map[string]bool
	out        []Scored
}

const (
	// excerptTokens is how much is given of an item that no budget would hold, and
	// leastExcerpt what has to be left for it: a paragraph, which says what the rest is
	// about.
	excerptTokens = 400
	leastExcerpt  = 100
)

// take chooses s if there is room for it, or for its beginning if it alone is larger
// than all the room there is.
func (c *choice) take(s *Scored, why string) bool {
	size := s.Meta.Tokens
	if size > c.most && c.left >= leastExcerpt {
		s.Excerpt = min(excerptTokens, c.left)
		size, why = s.Excerpt, fmt.Sprintf("%s; cut to %d of %d tokens (recall_max_tokens)", why, s.Excerpt, size)
	}
	if size > c.left {
		s.Why = fmt.Sprintf("%d tokens, but only %d left (recall_max_tokens)", size, c.left)
		return false
	}
	c.left -= size
	s.Chosen, s.Why, c.chosen[s.Meta.Key] = true, why, true
	c.out = append(c.out, *s)
	return true
}

// Fits reports whether a score is enough, and why or why not.
func (r *Ranking) Fits(s *Scored) (why string, ok bool) {
	t, setting := r.Threshold(s)
	switch {
	case len(s.Triggers.Exact) > 0:
		return keywordWhy(s), true
	case s.Score >= t:
		return fmt.Sprintf("score %.2f, %s %.2f", s.Score, setting, t), true
	}
	return fmt.Sprintf("score %.2f below %s %.2f", s.Score, setting, t), false
}

func keywordWhy(s *Scored) string { return fmt.Sprintf("keyword '%s'", s.Triggers.Exact[0]) }

// Explain tells in one line what the score of s was made of, and what followed from it.
func (s *Scored) Explain() string {
	line := s.Sum()
	if len(s.Triggers.Shared) > 0 {
		line += fmt.Sprintf(", keyword '%s' is shared by more than %d items", s.Triggers.Shared[0], SharedBy)
	}
	if len(s.Triggers.Common) > 0 {
		line += fmt.Sprintf(", keyword '%s' is a common word", s.Triggers.Common[0])
	}
	if s.Outdated != "" {
		line += ", " + s.Outdated
	}
	if s.Outlived != "" && !strings.HasPrefix(s.Why, s.Outlived) {
		line += ", " + s.Outlived
	}
	if len(s.Triggers.Exact) > 0 && s.Why == keywordWhy(s) { // Sum names it
		return line + ": a keyword is enough"
	}
	return line + ": " + s.Why
}

// Sum is the score with its parts, each with its name. In hundredths, as they are
// printed, they add up; what rounding leaves over is the meaning's, or else the words'.
func (s *Scored) Sum() string {
	words, bonus, fresh, near := hundredths(s.ByWords), hundredths(s.Bonus), hundredths(s.Fresh), hundredths(s.Near)
	meaning := hundredths(s.Score) - words - bonus - fresh - near
	if meaning < 0 || s.ByWords > 0 && s.ByWords+s.Bonus+s.Fresh+s.Near >= s.Score {
		words, meaning = words+meaning, 0
	}
	byWords := "words"
	if by := slices.Concat(s.Triggers.Exact, s.Triggers.Common); len(by) > 0 {
		byWords = fmt.Sprintf("keyword '%s'", by[0])
	}
	var parts []string
	for _, p := range []struct {
		name string
		part int
	}{{"meaning", meaning}, {byWords, words}, {s.Triggers.bonusName(), bonus}, {"newer", fresh}, {"code in this branch", near}} {
		if p.part > 0 {
			parts = append(parts, fmt.Sprintf("%s %.2f", p.name, float64(p.part)/100))
		}
	}
	total := fmt.Sprintf("%.2f", float64(hundredths(s.Score))/100)
	if len(parts) == 0 {
		return total
	}
	return total + " = " + strings.Join(parts, " + ")
}

func hundredths(x float64) int { return int(math.Round(100 * x)) }

// bonusName says what a bonus is for: keywords within words, patterns, or both.
func (t *Triggers) bonusName() string {
	name := "pattern"
	switch {
	case len(t.Substring) > 0 && len(t.Patterns) > 0:
		return "keyword in a word and pattern"
	case len(t.Substring) == 1:
		return fmt.Sprintf("keyword in a word '%s'", t.Substring[0])
	case len(t.Substring) > 1:
		return "keywords in words"
	case len(t.Patterns) > 1:
		name = "patterns"
	}
	return name
}

// Most is how many items are chosen at most.
func (r *Ranking) Most() int { return positive(r.MaxItems, DefaultMaxItems) }

func positive(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}
