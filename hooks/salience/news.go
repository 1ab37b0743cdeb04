package salience

import (
	"cmp"
	"math"
	"slices"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/prose"
)

// A news is what a session came to since it was saved last.
type news struct {
	before, texts []transcript.Text // what was said until then, and since
	reading       *reading
	found         []finding            // what is worth it, in the order in which it was said
	evidence      []string             // what of that carries the thesis
	all, failures []transcript.Failure // those of the whole session, and those since
	files         []transcript.File    // that were changed since
	searches      []transcript.Search  // of the web
}

func (s Session) news() news {
	n := news{all: s.Digest.Failures}
	texts := s.Texts
	if texts == nil {
		texts = s.Digest.Texts
	}
	for _, t := range texts {
		if s.From > 0 && t.Offset >= s.From || s.From == 0 && (t.Time.IsZero() || t.Time.After(s.Since)) {
			n.texts = append(n.texts, t)
		} else {
			n.before = append(n.before, t)
		}
	}
	if len(n.before) == 0 && s.From > 0 { // they were read from there on
		for _, t := range s.Digest.Texts {
			if t.Offset < s.From {
				n.before = append(n.before, t)
			}
		}
	}
	from := s.boundary(n.before)
	var changed []string
	var edits []int64
	for _, f := range s.Digest.Files {
		if f.Changes > 0 && f.Offset > from {
			n.files, changed, edits = append(n.files, f), append(changed, f.Path), append(edits, f.Offset)
		}
	}
	for _, f := range s.Digest.Failures {
		if f.Offset > from || f.Fixed > from {
			n.failures = append(n.failures, f)
		}
	}
	for _, q := range s.Digest.Searches {
		if q.Offset > from && q.Kind == "web" {
			n.searches = append(n.searches, q)
		}
	}
	n.reading = &reading{list: stretches(append(lastStretch(n.before), n.texts...)), changed: changed, edits: edits, broken: n.all, since: math.MaxInt64}
	for _, c := range s.Digest.MCP {
		if c.Tool == "sage_save_knowledge" && c.Count > c.Failed {
			n.reading.kept = max(n.reading.kept, c.Offset)
		}
	}
	if len(n.texts) > 0 {
		n.reading.since = n.texts[0].Offset
	}
	known := s.knows()
	n.found = slices.DeleteFunc(n.reading.read(), func(f finding) bool {
		return f.score < cmp.Or(s.Threshold, Threshold) || known(f)
	})
	return n
}

// lastStretch is the end of what is saved, from where the person spoke last: they may yet say
// yes to it.
func lastStretch(texts []transcript.Text) []transcript.Text {
	for i, t := range slices.Backward(texts) {
		if t.Person {
			return slices.Clone(texts[i:])
		}
	}
	return nil
}

// boundary is where in the transcript the last save is, as far as that can be told: behind
// what was said before it, and behind a call that saved.
func (s Session) boundary(before []transcript.Text) (at int64) {
	at = s.From - 1
	if s.From > 0 || s.Since.IsZero() {
		return at
	}
	for _, t := range before {
		at = max(at, t.Offset)
	}
	for _, c := range s.Digest.MCP {
		if (c.Tool == "sage_save_checkpoint" || c.Tool == "sage_autosave_check") && c.Count > c.Failed {
			at = max(at, c.Offset)
		}
	}
	return at
}

// thesis is what it came to, and the question that this answers. Where nobody says it, what
// is said of a file that was changed stands for it, or what was done; "" is that there is
// nothing to keep.
func (n *news) thesis() (thesis, question string) {
	f, ok := thesisOf(n.found)
	if ok && (!f.person || len(n.files) == 0) {
		n.evidence = evidence(n.found, f)
		return f.says(), n.reading.question(f, n.found)
	}
	n.evidence = evidence(n.found, finding{})
	if f, ok := n.opening(); ok {
		return clip(f.text, maxThesis), n.reading.question(f, n.found)
	}
	if ok && !f.faint { // what the person said before what nobody did
		n.evidence = evidence(n.found, f)
		return f.says(), n.reading.question(f, n.found)
	}
	if s := n.done(); s != "" {
		return s, ""
	}
	if list := n.fixed(); len(list) > 0 {
		return list[len(list)-1].Content, ""
	}
	return "", ""
}

// opening is the first sentence of the last answer that says something of a file that was
// changed.
func (n *news) opening() (finding, bool) {
	for i := len(n.reading.list) - 1; i >= 0; i-- {
		m := n.reading.list[i].answer()
		if m == nil {
			continue
		}
		for _, s := range m.sentences {
			if s.Part != prose.Heading && !s.Asks && !leadsOver(s.Said) && !s.idle && names(s.Said, n.reading.changed) {
				return finding{text: s.Text, stretch: i, terms: s.terms}, true
			}
		}
	}
	return finding{}, false
}
