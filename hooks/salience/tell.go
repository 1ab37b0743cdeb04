package salience

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/cut"
)

// thesis is the last thing that was decided or found out, of one stretch what weighs most;
// else the last that the agent found, else the last that the person said. ok is false if
// there is none.
func thesisOf(found []finding) (best finding, ok bool) {
	for _, fits := range []func(finding) bool{
		func(f finding) bool { return f.settles && !f.person && !f.faint && f.standsAlone() },
		func(f finding) bool { return f.settles && !f.person && !f.faint },
		func(f finding) bool { return !f.person && !f.faint },
		func(f finding) bool { return f.kind == prose.Decision && !f.faint },
		func(f finding) bool { return !f.person },
		func(finding) bool { return true },
	} {
		for _, f := range slices.Backward(found) {
			if ok && f.stretch != best.stretch {
				break
			}
			if fits(f) && (!ok || f.beats(best)) {
				best, ok = f, true
			}
		}
		if ok {
			return best, true
		}
	}
	return best, false
}

// standsAlone reports whether a finding says what it is about: "Set it to 2 minutes." does not.
func (f finding) standsAlone() bool { return f.terms.topical().weight() >= leastAbout }

// beats reports whether one finding of a stretch says better than another what it came to:
// what was decided before why.
func (f finding) beats(g finding) bool {
	if d := f.kind == prose.Decision; d != (g.kind == prose.Decision) {
		return d
	}
	return f.score > g.score
}

// evidence is what was found beside the thesis: what belongs to later work first, that of
// one stretch in its order. Of too much the weightiest is kept.
func evidence(found []finding, thesis finding) (out []string) {
	list := slices.DeleteFunc(slices.Clone(found), func(f finding) bool { return f.text == thesis.text })
	if len(list) > mostPoints {
		slices.SortStableFunc(list, func(a, b finding) int { return cmp.Or(cmp.Compare(b.score, a.score), b.stretch-a.stretch) })
		list = list[:mostPoints]
		slices.SortStableFunc(list, func(a, b finding) int { return slices.IndexFunc(found, same(a)) - slices.IndexFunc(found, same(b)) })
	}
	slices.SortStableFunc(list, func(a, b finding) int { return b.stretch - a.stretch })
	for _, f := range list {
		out = append(out, f.says())
	}
	return out
}

func same(f finding) func(finding) bool { return func(g finding) bool { return f.text == g.text } }

// says is a finding with who said it, where that matters.
func (f finding) says() string {
	s := clip(f.text, maxSentence)
	if f.person {
		return "The user: " + s
	}
	return s
}

// fixed is what failed and works now, with the files that were changed in between.
func (n news) fixed() (out []sage.Contribution) {
	for _, f := range n.failures {
		if f.Fixed == 0 {
			continue
		}
		s := "Failed: " + told(f) + "; passes now"
		var files []string
		for _, c := range n.files {
			if c.Offset > f.Offset && c.Offset < f.Fixed {
				files = append(files, c.Path)
			}
		}
		if len(files) > 0 {
			s += ", after a change of " + listed(files, 3)
		}
		out = append(out, sage.Contribution{Type: "experiment", Content: s})
	}
	return lists.Union(nil, last(out, mostPoints))
}

// done says which files changed, where nobody says what it came to.
func (n news) done() string {
	if len(n.files) == 0 {
		return ""
	}
	var names []string
	for _, f := range n.files {
		names = append(names, f.Path)
	}
	slices.Sort(names)
	return "Changed " + listed(names, 5) + "."
}

func listed(names []string, most int) string {
	s := strings.Join(cut.First(names, most), ", ")
	if more := len(names) - most; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// trace is what was asked, one after the other and nothing twice, and looked for, behind the
// client's summary of what is not in the conversation any more.
func (n news) trace(summary string) string {
	var asked distinct
	for i := range n.reading.list {
		if s := &n.reading.list[i]; s.isAbout() && s.asked[0].Offset >= n.reading.since && n.reading.isRequest(i) && !n.reading.isStatement(i, n.found) {
			asked.add(clip(s.wants, maxRequest))
		}
	}
	var lines []string
	if summary != "" {
		lines = append(lines, "- The client's summary of what came before: "+clip(summary, maxSummary))
	}
	for _, a := range last(asked.texts, mostAsked) {
		lines = append(lines, "- Asked: "+a)
	}
	for _, q := range last(n.searches, mostOpen) {
		lines = append(lines, "- Searched the web: "+clip(q.Query, maxRequest))
	}
	return strings.Join(lines, "\n")
}
