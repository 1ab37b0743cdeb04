package briefing

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose/cut"
)

// minCut is the fewest characters of a text that are worth showing.
const minCut = 40

type brief struct {
	sections []section
	id       string // short; "" if c has none
	note     string // the last line, if something was left out
}

func (b *brief) render() string {
	var out strings.Builder
	out.WriteString(briefTitle)
	for _, s := range b.sections {
		if len(s.items) > 0 {
			out.WriteString(s.title() + strings.Join(s.items, s.gap))
		}
	}
	out.WriteString(b.note)
	return out.String()
}

func (s section) title() string { return "\n## " + s.heading + "\n" }

// fit leaves out what n characters do not hold. Room for the longest note,
// that which misses everything, is set aside first.
func (b *brief) fit(n int) string {
	all := b.sections
	b.sections = make([]section, len(all))
	room := n - utf8.RuneCountInString(briefTitle) - utf8.RuneCountInString(b.missing(all))
	for _, s := range all {
		if s.cut && len(s.items) > 0 {
			room -= len(", ") + len(s.rest())
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(all[i].rank, all[j].rank) })
	for _, i := range order {
		var used int
		b.sections[i], used = all[i].fit(room)
		room -= used
	}
	b.note = b.missing(all)
	out := b.render()
	if shows := slices.ContainsFunc(b.sections, func(s section) bool { return len(s.items) > 0 }); shows && utf8.RuneCountInString(out) <= n {
		return out
	}
	return b.crumb(all, n)
}

// crumb is what is left where not even a section fits: the thesis, or else the
// question, cut, and how to see the rest if there is room for that.
func (b *brief) crumb(all []section, n int) string {
	see := "\nTo see all: " + b.see() + "\n"
	for _, rank := range []int{rankThesis, rankQuestion} {
		for _, s := range all {
			if s.rank != rank || len(s.items) == 0 {
				continue
			}
			if room := n - utf8.RuneCountInString(see); room >= minCut {
				return cutItem(s.items[0], room) + see
			}
			return cut.Runes(strings.TrimSuffix(s.items[0], "\n"), n)
		}
	}
	return firstRunes(strings.TrimPrefix(b.note, "\n"), n)
}

// see is the command that shows everything.
func (b *brief) see() string { return strings.TrimSuffix("git sage show "+b.id, " ") }

// fit returns the section with the items that room holds, from the first, and
// the characters they take.
func (s section) fit(room int) (section, int) {
	kept, used := s, utf8.RuneCountInString(s.title())
	kept.items = nil
	for i, item := range s.items {
		if i > 0 {
			used += len(s.gap)
		}
		size := utf8.RuneCountInString(item)
		if used+size > room {
			if i == 0 && s.cut && room-used >= minCut {
				kept.items = []string{cutItem(item, room-used)}
				return kept, used + utf8.RuneCountInString(kept.items[0])
			}
			break
		}
		kept.items = append(kept.items, item)
		used += size
	}
	if len(kept.items) == 0 {
		return kept, 0
	}
	return kept, used
}

// cutItem shortens an item to n characters with the newline. An item that has
// more than one line is cut in the first one that does not fit.
func cutItem(item string, n int) string {
	return cut.Runes(strings.TrimSuffix(item, "\n"), n-1) + "\n"
}

// missing says what all has and b has not.
func (b *brief) missing(all []section) string {
	var left []string
	fields := 0
	for i, s := range all {
		kept := b.sections[i].items
		n := len(s.items) - len(kept)
		if s.one == fieldLine {
			fields += n
			if i+1 < len(all) && all[i+1].one == fieldLine {
				continue
			}
			n = fields
		}
		if n > 0 {
			left = append(left, countOf(n, s.one))
		}
		if len(kept) > 0 && kept[len(kept)-1] != s.items[len(kept)-1] {
			left = append(left, s.rest())
		}
	}
	return "\nLeft out for length: " + strings.Join(left, ", ") + ". To see all: " + b.see() + "\n"
}

// rest is what the note calls the part of a cut item that is not shown.
func (s section) rest() string {
	return "the end of the " + strings.TrimPrefix(s.one, "part of the ")
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
