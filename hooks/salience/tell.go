package salience

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/trigger"
	"github.com/git-sage/git-sage/recall"
)

// thesis is the last thing that the agent came to: what it said outright was decided, else
// the last sentence that concludes, else what sounds most like a conclusion, else a number,
// else how its last answer begins that names what it changed, else what was done.
func (n news) thesis(request string) string {
	for _, p := range slices.Backward(n.points) {
		if p.Decides && !p.Person {
			return clip(p.Text, maxThesis)
		}
	}
	for _, find := range []func() string{n.last("conclusion", "constraint"), n.sounding, n.last("number"), n.opening} {
		if s := find(); s != "" {
			return clip(s, maxThesis)
		}
	}
	return n.done(request)
}

// last finds the agent's last point of a kind, the first kind that there is.
func (n news) last(kinds ...string) func() string {
	return func() string {
		for _, kind := range kinds {
			for _, p := range slices.Backward(n.points) {
				if p.Kind == kind && !p.Person {
					return p.Text
				}
			}
		}
		return ""
	}
}

// soundsLike is how much words tell at least of who concludes something.
const soundsLike = 0.5

// sounding is what of the agent's words sounds most like a conclusion, or a limit that it
// met; of equals the last.
func (n news) sounding() (best string) {
	most := soundsLike
	for _, t := range n.texts {
		if t.Person {
			continue
		}
		r := trigger.Read(t.Text, false)
		for _, k := range []trigger.Kind{trigger.Constraint, trigger.Synthesis} {
			if r.Scores[k] >= most {
				best, most = r.Best[k], r.Scores[k]
			}
		}
	}
	return best
}

// opening is the first sentence of the last answer that says something of a file that was
// changed.
func (n news) opening() string {
	for _, t := range slices.Backward(n.texts) {
		if t.Person {
			continue
		}
		for _, s := range recall.Sentences(t.Text) {
			if s.Says && names(s.Text, n.changed) {
				return s.Text
			}
		}
	}
	return ""
}

// done says what was done, where nobody says what it came to.
func (n news) done(request string) string {
	what := "Nothing was concluded yet"
	if len(n.changed) > 0 {
		what = "Changed " + listed(n.changed, 5)
	}
	if request == "" {
		return what + "."
	}
	return what + ", for: " + clip(request, maxRequest)
}

func listed(names []string, most int) string {
	s := strings.Join(first(names, most), ", ")
	if more := len(names) - most; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// evidence are the points that weigh most, in their order.
func (n news) evidence() (out []string) {
	list := slices.Clone(n.points)
	slices.SortStableFunc(list, func(a, b Point) int { return cmp.Compare(b.Score, a.Score) })
	least := 0.0
	if len(list) > mostPoints {
		least = list[mostPoints].Score
	}
	for _, p := range slices.Backward(n.points) { // of those that weigh the same, the newest
		if p.Kind != "failure" && (p.Score > least || p.Score == least && len(out) < mostPoints) {
			out = append(out, p.says())
		}
	}
	slices.Reverse(out)
	return union(nil, last(out, mostPoints))
}

// says is a point with who said it, where that matters.
func (p Point) says() string {
	s := clip(p.Text, maxSentence)
	switch {
	case p.Kind == "correction":
		return "The user corrected: " + s
	case p.Person:
		return "The user said: " + s
	}
	return s
}

// found is what went wrong here and how it was put right.
func (n news) found() (out []sage.Contribution) {
	for _, f := range n.failures {
		if f.Fixed > 0 {
			out = append(out, sage.Contribution{Type: "experiment", Content: "Failed at first, and works now: " + told(f)})
		}
	}
	for _, p := range n.points {
		if p.Kind == "failure" {
			out = append(out, sage.Contribution{Type: "experiment", Content: clip(p.Text, maxSentence)})
		}
	}
	return union(nil, last(out, mostPoints))
}

// trace is what was asked, one after the other, and looked for, behind the client's
// summary of what is not in the conversation any more.
func (n news) trace(summary string) string {
	var lines []string
	for _, t := range n.texts {
		if t.Person {
			lines = append(lines, "- Asked: "+clip(t.Text, maxRequest))
		}
	}
	lines = last(lines, mostAsked)
	for _, q := range last(n.searches, mostOpen) {
		lines = append(lines, "- Searched the web: "+clip(q.Query, maxRequest))
	}
	if summary != "" {
		lines = append([]string{"- The client's summary of what came before: " + clip(summary, maxSummary)}, lines...)
	}
	return strings.Join(lines, "\n")
}
