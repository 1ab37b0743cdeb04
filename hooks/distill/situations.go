package distill

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose"
)

// What a situation may be, in which a fact is wanted.
const (
	mostWhen      = 3
	maxWhen       = 120
	mostWhenWords = 12
)

// situations are those that describe where a fact is wanted, and no more: a model can quote
// nobody for them, so they may neither tell the reader to do something, nor name an address,
// a file or a command of which nobody spoke, nor be about something else than the fact.
func (c *claimed) situations(list []string) (out []string) {
	for _, w := range list {
		if strings.ContainsAny(strings.TrimSpace(w), "\n\r") {
			continue
		}
		if w = oneLine(w); len(out) < mostWhen && !slices.Contains(out, w) && c.isSituation(w) {
			out = append(out, w)
		}
	}
	return out
}

func (c *claimed) isSituation(w string) bool {
	l := c.to
	words := len(strings.Fields(w))
	if wide := prose.Width(w) - utf8.RuneCountInString(w); wide > 0 {
		words += wide / 2
	}
	switch {
	case w == "", utf8.RuneCountInString(w) > maxWhen, words > mostWhenWords:
		return false
	case strings.ContainsAny(w, "<>{}[]|$\\;=&"), len(prose.Split(w, l)) != 1:
		return false
	case slices.ContainsFunc([]prose.Lang{l, c.from, prose.Language(w), prose.English}, func(l prose.Lang) bool { return prose.SignsOf(w, l).Has(commands) }):
		return false
	}
	where := strings.ToLower(c.said + "\n" + c.text + "\n" + c.near)
	for _, name := range slices.Concat(exact().FindAllString(w, -1), strange().FindAllString(w, -1), namesIn(w, l)) {
		if !strings.Contains(where, strings.ToLower(strings.Trim(name, "`.,:;"))) {
			return false
		}
	}
	return c.isAbout(w)
}

// commands are what tells a reader to do something.
const commands = prose.Orders | prose.Remember | prose.Always | prose.Todo | prose.Checkpoint | prose.Requests

// strange matches addresses, options and variables.
var strange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\S*(?:://|@|\bwww\.)\S*|(?:^|\s)-{1,2}\pL\S*|\S*[/\\~]\S*|[A-Z][A-Z0-9_]{3,}`)
})

// isAbout reports whether a situation shares a word with its fact, or half of its words with
// what was said around it.
func (c *claimed) isAbout(w string) bool {
	own := prose.Stated(w, c.to)
	fact := slices.Concat(c.words[0], c.words[1])
	near := prose.Stated(c.near, c.from)
	inNear := 0
	for _, x := range own {
		if x.Number {
			continue
		}
		if len(alike(fact, x)) > 0 {
			return true
		}
		if len(alike(near, x)) > 0 {
			inNear++
		}
	}
	return inNear > 0 && 2*inNear >= len(own)
}
