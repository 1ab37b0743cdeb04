package sage

import "sync"

// A Field is one key of a mapping and where its value lies: a pointer to one
// of the types that read and plain know.
type Field struct {
	Key string
	Ptr any
}

// Header are the keys of the front matter, in the order of the canonical
// form.
func (c *Checkpoint) Header() []Field {
	return []Field{
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

// Others are keys that have their place elsewhere than in the front
// matter of a stored checkpoint, and are read there all the same.
func (c *Checkpoint) Others() []Field {
	return []Field{
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

// IsKnown reports whether key has a meaning in a checkpoint, so that it cannot
// be one of Extra.
func IsKnown(key string) bool { return knownKeys()[key] }

var knownKeys = sync.OnceValue(func() map[string]bool {
	var c Checkpoint
	known := map[string]bool{"type": true}
	for _, f := range append(c.Header(), c.Others()...) {
		known[f.Key] = true
	}
	return known
})

func (s *Source) Fields() []Field {
	return []Field{
		{"id", &s.ID}, {"type", &s.Type}, {"identifier", &s.Identifier},
		{"credibility", &s.Credibility}, {"take", &s.Take}, {"relation", &s.Relation},
	}
}

func (t *Tension) Fields() []Field {
	return []Field{{"between", &t.Between}, {"nature", &t.Nature}, {"resolution", &t.Resolution}}
}

func (c *Contribution) Fields() []Field {
	return []Field{{"type", &c.Type}, {"content", &c.Content}}
}

func (a *Action) Fields() []Field {
	return []Field{
		{"goal", &a.Goal}, {"type", &a.Type}, {"deadline", &a.Deadline}, {"stakeholders", &a.Stakeholders},
	}
}

func (r *CodeRef) Fields() []Field {
	return []Field{
		{"file", &r.File}, {"lines", &r.Lines}, {"blob", &r.Blob}, {"symbol", &r.Symbol},
		{"snippet", &r.Snippet}, {"relevance", &r.Relevance},
	}
}

func (s *CodeState) Fields() []Field {
	return []Field{
		{"commit", &s.Commit}, {"branch", &s.Branch}, {"tree", &s.Tree},
		{"patch_id", &s.PatchID}, {"dirty", &s.Dirty},
	}
}

func (t *ComponentThesis) Fields() []Field {
	return []Field{{"from", &t.From}, {"thesis", &t.Thesis}}
}
