package salience

import (
	"cmp"
	"slices"

	"github.com/git-sage/git-sage/hooks/transcript"
)

// news are what a session came to since it was saved last.
type news struct {
	texts    []transcript.Text
	points   []Point // those that are worth it, in their order
	failures []transcript.Failure
	changed  []string
	searches []transcript.Search
}

func (s Session) news() news {
	d := s.Digest
	n := news{changed: s.changed()}
	from := s.boundary()
	for _, t := range d.Texts {
		if s.From > 0 && t.Offset >= s.From || s.From == 0 && (t.Time.IsZero() || t.Time.After(s.Since)) {
			n.texts = append(n.texts, t)
		}
	}
	for _, f := range d.Failures {
		if f.Offset > from || f.Fixed > from {
			n.failures = append(n.failures, f)
		}
	}
	for _, q := range d.Searches {
		if q.Offset > from && q.Kind == "web" {
			n.searches = append(n.searches, q)
		}
	}
	known := s.known()
	for _, p := range Points(n.texts, n.changed) {
		if p.Score >= cmp.Or(s.Threshold, Threshold) && !known.has(p.Text) && !tells(s.Shown, p.Text) {
			n.points = append(n.points, p)
		}
	}
	return n
}

// boundary is where in the transcript the last save is, as far as that can be told:
// behind what was said before it, and behind a call that saved.
func (s Session) boundary() (at int64) {
	at = s.From - 1
	if s.From > 0 || s.Since.IsZero() {
		return at
	}
	for _, t := range s.Digest.Texts {
		if !t.Time.IsZero() && !t.Time.After(s.Since) {
			at = max(at, t.Offset)
		}
	}
	for _, c := range s.Digest.MCP {
		if (c.Tool == "sage_save_checkpoint" || c.Tool == "sage_autosave_check") && c.Count > c.Failed {
			at = max(at, c.Offset)
		}
	}
	return at
}

// changed are the files that were changed since the last save.
func (s Session) changed() (out []string) {
	from := s.boundary()
	for _, f := range s.Digest.Files {
		if f.Changes > 0 && f.Offset > from {
			out = append(out, f.Path)
		}
	}
	slices.Sort(out)
	return out
}

// worth reports whether losing it would be a loss.
func (n news) worth() bool {
	return len(n.points) > 0 || len(n.changed) > 0 || slices.ContainsFunc(n.failures, func(f transcript.Failure) bool { return f.Fixed > 0 })
}
