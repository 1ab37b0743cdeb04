package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Checkpoints brings the thoughts of a and b together, both of which come from base,
// by meaning. A nil base is an empty one. The ids of a and b say who held which
// thesis.
//
// For a given base, merging is the join of a semilattice whose least element is
// the base. So Checkpoints(x, a, a) and Checkpoints(x, x, a) are a, sides can be swapped,
// and several sides give the same in whatever order they are merged. Every rule
// below keeps to that:
//
//   - An item of a list that one side removed is gone, unless the other side
//     changed it: an edit beats a removal. What either side added is kept.
//     Items of the base keep their order, additions of both sides are sorted
//     behind them; where only one side changed a list, its order stands.
//   - Sources are one by id and identifier (two sides that both call a new
//     source s3 mean two), tensions by the set of who disagrees and about what,
//     contributions by content, code refs by everything but relevance. An item
//     that both changed is merged field by field.
//   - A text that both changed holds the parts of both, see [textSeparator] and
//     [traceSeparator].
//   - A word of a fixed set, the skill, project and template take the smallest
//     that is not empty, where smallest is what warns most: contradicts before
//     supports, unresolved before resolved; otherwise by alphabet.
//   - Theses and the confidence in them: see [stance].
//   - Maps are merged key by key, see [facets].
//   - What a side says to hold nothing on purpose is a set of names, without those of
//     fields that hold something then.
//
// The result holds what was thought, files, code refs, knowledge recalled,
// skill, project, template and Extra. All else is zero, Aliases too: they name
// one checkpoint, and a merge is another.
func Checkpoints(base, a, b *sage.Checkpoint) *sage.Checkpoint {
	if base == nil {
		base = &sage.Checkpoint{}
	}
	x := base
	m := &sage.Checkpoint{
		CoreQuestion:        texts.merge(x.CoreQuestion, a.CoreQuestion, b.CoreQuestion),
		ReasoningTrace:      traces.merge(x.ReasoningTrace, a.ReasoningTrace, b.ReasoningTrace),
		KeyEvidence:         mergeStrings(x.KeyEvidence, a.KeyEvidence, b.KeyEvidence),
		OpenQuestions:       mergeStrings(x.OpenQuestions, a.OpenQuestions, b.OpenQuestions),
		Sources:             mergeItems(SourceRule, x.Sources, a.Sources, b.Sources),
		Tensions:            mergeItems(TensionRule, x.Tensions, a.Tensions, b.Tensions),
		UniqueContributions: mergeItems(contributionRule, x.UniqueContributions, a.UniqueContributions, b.UniqueContributions),
		Action:              mergeAction(x.Action, a.Action, b.Action),
		Domain:              mergeWord(x.Domain, a.Domain, b.Domain, "", "general"),
		DomainData:          mergeMaps(x.DomainData, a.DomainData, b.DomainData),
		Fields:              mergeMaps(x.Fields, a.Fields, b.Fields),
		Skill:               mergeWord(x.Skill, a.Skill, b.Skill),
		Project:             mergeWord(x.Project, a.Project, b.Project),
		Template:            mergeWord(x.Template, a.Template, b.Template),
		KnowledgeRecalled:   mergeStrings(x.KnowledgeRecalled, a.KnowledgeRecalled, b.KnowledgeRecalled),
		FilesExplored:       mergeStrings(x.FilesExplored, a.FilesExplored, b.FilesExplored),
		FilesChanged:        mergeStrings(x.FilesChanged, a.FilesChanged, b.FilesChanged),
		CodeRefs:            mergeItems(CodeRefRule, x.CodeRefs, a.CodeRefs, b.CodeRefs),
		Extra:               mergeEntries(x.Extra, a.Extra, b.Extra),
	}
	m.SaidNone = mergeStrings(x.None(), a.None(), b.None())
	m.SettleNone()
	mergeStance(x, a, b).putIn(m)
	return m
}

// Settle gives c the thesis that its component theses came to, and the
// confidence in it, which may be nil.
func Settle(c *sage.Checkpoint, thesis string, confidence *float64) {
	c.Thesis, c.Confidence, c.ComponentTheses = thesis, confidence, nil
}

func mergeAction(x, a, b sage.Action) sage.Action {
	return sage.Action{
		Goal:         texts.merge(x.Goal, a.Goal, b.Goal),
		Type:         mergeWord(x.Type, a.Type, b.Type),
		Deadline:     texts.merge(x.Deadline, a.Deadline, b.Deadline),
		Stakeholders: mergeStrings(x.Stakeholders, a.Stakeholders, b.Stakeholders),
	}
}

// SourceRule tells sources without id and identifier apart by what they say.
var SourceRule = Rule[sage.Source]{
	Key: func(s sage.Source) string {
		key := s.ID + "\x00" + s.Identifier
		if key == "\x00" {
			key += s.Take
		}
		return key
	},
	Merge: func(x, a, b sage.Source) sage.Source {
		return sage.Source{
			ID:          a.ID,
			Identifier:  a.Identifier,
			Type:        mergeWord(x.Type, a.Type, b.Type),
			Credibility: texts.merge(x.Credibility, a.Credibility, b.Credibility),
			Take:        texts.merge(x.Take, a.Take, b.Take),
			Relation:    mergeWord(x.Relation, a.Relation, b.Relation, "contradicts", "nuances", "supports", "context"),
		}
	},
}

var TensionRule = Rule[sage.Tension]{
	Key: func(t sage.Tension) string {
		return strings.Join(slices.Compact(slices.Sorted(slices.Values(t.Between))), "\x00") + "\x00\x00" + t.Nature
	},
	tidy: func(t sage.Tension) sage.Tension {
		t.Between = mergeStrings(nil, nil, t.Between)
		return t
	},
	Merge: func(x, a, b sage.Tension) sage.Tension {
		return sage.Tension{
			Between:    mergeStrings(x.Between, a.Between, b.Between),
			Nature:     a.Nature,
			Resolution: mergeWord(x.Resolution, a.Resolution, b.Resolution, "unresolved", "resolved", "moot"),
		}
	},
}

var contributionRule = Rule[sage.Contribution]{
	Key: func(c sage.Contribution) string { return c.Content },
	Merge: func(x, a, b sage.Contribution) sage.Contribution {
		return sage.Contribution{Type: mergeWord(x.Type, a.Type, b.Type), Content: a.Content}
	},
}

var CodeRefRule = Rule[sage.CodeRef]{
	Key: func(r sage.CodeRef) string {
		return strings.Join([]string{r.File, r.Span(), r.Symbol, r.Blob, r.Snippet}, "\x00")
	},
	Merge: func(x, a, b sage.CodeRef) sage.CodeRef {
		a.Relevance = mergeWord(x.Relevance, a.Relevance, b.Relevance, "contradicts", "supports", "context", "stale")
		return a
	},
}

// mergeWord merges a value that cannot be two. Of two different changes it
// takes the one that comes first in order; words that are not in it come in
// alphabetical order behind it, and the empty word last. An empty word in order
// stands for all those that are not in it.
func mergeWord(x, a, b string, order ...string) string {
	switch {
	case a == x || a == b:
		return b
	case b == x:
		return a
	}
	rank := func(s string) int {
		if i := slices.Index(order, s); i >= 0 && s != "" {
			return i
		} else if i := slices.Index(order, ""); i >= 0 && s != "" {
			return i
		} else if s == "" {
			return len(order) + 1
		}
		return len(order)
	}
	if c := cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)); c < 0 {
		return a
	}
	return b
}
