package sage

import (
	"strings"
	"sync"
	"time"
)

// A field is one key of a mapping and where its value lies: a pointer to one
// of the types that read and plain know.
type field struct {
	key string
	ptr any
}

// header are the keys of the front matter, in the order of the canonical
// form.
func (c *Checkpoint) header() []field {
	return []field{
		{"ts", &c.Time},
		{"trigger", (*string)(&c.Trigger)},
		{"description", &c.Description},
		{"confidence", &c.Confidence},
		{"skill", &c.Skill},
		{"project", &c.Project},
		{"template", &c.Template},
		{"domain", &c.Domain},
		{"message_count", &c.MessageCount},
		{"token_estimate", &c.TokenEstimate},
		{"checkpoint_tokens", &c.CheckpointTokens},
		{"compression_ratio", &c.CompressionRatio},
		{"action_goal", &c.Action.Goal},
		{"action_type", &c.Action.Type},
		{"action_deadline", &c.Action.Deadline},
		{"action_stakeholders", &c.Action.Stakeholders},
		{"files_explored", &c.FilesExplored},
		{"files_changed", &c.FilesChanged},
		{"code", &c.Code},
		{"session", &c.Session},
		{"agent", &c.Agent},
		{"branch_from", &c.BranchFrom},
		{"merge_sources", &c.MergeSources},
		{"component_theses", &c.ComponentTheses},
		{"knowledge_recalled", &c.KnowledgeRecalled},
		{"aliases", &c.Aliases},
		{"domain_data", &c.DomainData},
		{"fields", &c.Fields},
		{"said_none", &c.SaidNone},
	}
}

// others are keys that have their place elsewhere than in the front
// matter of a stored checkpoint, and are read there all the same.
func (c *Checkpoint) others() []field {
	return []field{
		{"id", &c.ID},
		{"parents", &c.Parents},
		{"core_question", &c.CoreQuestion},
		{"thesis", &c.Thesis},
		{"key_evidence", &c.KeyEvidence},
		{"reasoning_trace", &c.ReasoningTrace},
		{"open_questions", &c.OpenQuestions},
		{"sources", &c.Sources},
		{"tensions", &c.Tensions},
		{"unique_contributions", &c.UniqueContributions},
		{"code_refs", &c.CodeRefs},
		{"action", &c.Action},
	}
}

// isKnown reports whether key has a meaning in a checkpoint, so that it cannot
// be one of Extra.
func isKnown(key string) bool { return knownKeys()[key] }

var knownKeys = sync.OnceValue(func() map[string]bool {
	var c Checkpoint
	known := map[string]bool{"type": true}
	for _, f := range append(c.header(), c.others()...) {
		known[f.key] = true
	}
	return known
})

func (s *Source) fields() []field {
	return []field{
		{"id", &s.ID}, {"type", &s.Type}, {"identifier", &s.Identifier},
		{"credibility", &s.Credibility}, {"take", &s.Take}, {"relation", &s.Relation},
	}
}

func (t *Tension) fields() []field {
	return []field{{"between", &t.Between}, {"nature", &t.Nature}, {"resolution", &t.Resolution}}
}

func (c *Contribution) fields() []field {
	return []field{{"type", &c.Type}, {"content", &c.Content}}
}

func (a *Action) fields() []field {
	return []field{
		{"goal", &a.Goal}, {"type", &a.Type}, {"deadline", &a.Deadline}, {"stakeholders", &a.Stakeholders},
	}
}

func (r *CodeRef) fields() []field {
	return []field{
		{"file", &r.File}, {"lines", &r.Lines}, {"blob", &r.Blob}, {"symbol", &r.Symbol},
		{"snippet", &r.Snippet}, {"relevance", &r.Relevance},
	}
}

func (s *CodeState) fields() []field {
	return []field{
		{"commit", &s.Commit}, {"branch", &s.Branch}, {"tree", &s.Tree},
		{"patch_id", &s.PatchID}, {"dirty", &s.Dirty},
	}
}

func (t *ComponentThesis) fields() []field {
	return []field{{"from", &t.From}, {"thesis", &t.Thesis}}
}

// plain turns a field of the front matter into what an emitter takes, and
// reports whether it is set.
func plain(ptr any) (any, bool) {
	switch p := ptr.(type) {
	case *string:
		return plainValue(*p), *p != ""
	case *int:
		return int64(*p), *p != 0
	case *bool:
		return *p, *p
	case *float64:
		return *p, *p != 0
	case **float64:
		if *p == nil {
			return nil, false
		}
		return **p, true
	case *time.Time:
		return formatTime(*p)
	case *[]string:
		return plainList(*p), len(*p) > 0
	case *map[string]any:
		return plainValue(*p), len(*p) > 0
	case *[2]int:
		return strings.TrimPrefix(printLines(*p), ":"), *p != [2]int{}
	case *[]CodeRef:
		out := make([]any, 0, len(*p))
		for i := range *p {
			out = append(out, plainFields((*p)[i].fields()))
		}
		return out, len(out) > 0
	case *CodeState:
		m := plainFields(p.fields())
		return m, len(m) > 0
	case *[]ComponentThesis:
		out := make([]any, 0, len(*p))
		for i := range *p {
			out = append(out, plainFields((*p)[i].fields()))
		}
		return out, len(out) > 0
	}
	return nil, false
}

func plainFields(list []field) []Entry {
	out := []Entry{}
	for _, f := range list {
		if v, ok := plain(f.ptr); ok {
			out = append(out, Entry{f.key, v})
		}
	}
	return out
}

// formatTime prints t to the second, in UTC. A year that the format does not
// hold counts as unset.
func formatTime(t time.Time) (any, bool) {
	t = t.UTC()
	return t.Format(time.RFC3339), !t.IsZero() && t.Year() > 0 && t.Year() <= 9999
}
