package template

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// schema returns the fields of c by their names in the schema, as plain values:
// text, numbers, booleans, []any, map[string]any and nil.
func schema(c *sage.Checkpoint) map[string]any {
	return map[string]any{
		"id": c.ID, "parents": texts(c.Parents), "author": c.Author, "ts": stamp(c.Time), "trigger": string(c.Trigger),
		"description": c.Description, "skill": c.Skill, "project": c.Project, "template": c.Template,
		"core_question": c.CoreQuestion, "thesis": c.Thesis, "confidence": confidence(c),
		"key_evidence": texts(c.KeyEvidence), "reasoning_trace": c.ReasoningTrace, "open_questions": texts(c.OpenQuestions),
		"sources": list(c.Sources, func(s sage.Source) any {
			return map[string]any{"id": s.ID, "type": s.Type, "identifier": s.Identifier,
				"credibility": s.Credibility, "take": s.Take, "relation": s.Relation}
		}),
		"tensions": list(c.Tensions, func(t sage.Tension) any {
			return map[string]any{"between": texts(t.Between), "nature": t.Nature, "resolution": t.Resolution}
		}),
		"unique_contributions": list(c.UniqueContributions, func(u sage.Contribution) any {
			return map[string]any{"type": u.Type, "content": u.Content}
		}),
		"action": map[string]any{"goal": c.Action.Goal, "type": c.Action.Type, "deadline": c.Action.Deadline,
			"stakeholders": texts(c.Action.Stakeholders)},
		"action_goal": c.Action.Goal, "action_type": c.Action.Type, "action_deadline": c.Action.Deadline,
		"action_stakeholders": texts(c.Action.Stakeholders),
		"domain":              c.Domain, "domain_data": plain(c.DomainData), "fields": plain(c.Fields),
		"knowledge_recalled": texts(c.KnowledgeRecalled), "message_count": c.MessageCount,
		"token_estimate": c.TokenEstimate, "checkpoint_tokens": c.CheckpointTokens, "compression_ratio": c.CompressionRatio,
		"files_explored": texts(c.FilesExplored), "files_changed": texts(c.FilesChanged),
		"code_refs": list(c.CodeRefs, func(r sage.CodeRef) any {
			return map[string]any{"file": r.File, "lines": []any{r.Lines[0], r.Lines[1]}, "blob": r.Blob,
				"symbol": r.Symbol, "snippet": r.Snippet, "relevance": r.Relevance}
		}),
		"code": map[string]any{"commit": c.Code.Commit, "branch": c.Code.Branch, "tree": c.Code.Tree,
			"patch_id": c.Code.PatchID, "dirty": c.Code.Dirty},
		"session": c.Session, "agent": c.Agent, "branch_from": c.BranchFrom, "merge_sources": texts(c.MergeSources),
		"component_theses": list(c.ComponentTheses, func(t sage.ComponentThesis) any {
			return map[string]any{"from": t.From, "thesis": t.Thesis}
		}),
		"aliases": texts(c.Aliases),
	}
}

// data returns what a format sees: the schema, the fields of the template's own
// by name, and "custom", the list of those that are set: {name, title, value}.
func (t *Template) data(c *sage.Checkpoint) map[string]any {
	all := schema(c)
	own := map[string]any{}
	for _, f := range t.fields() {
		if _, known := all[f.Name]; !known && f.Default != nil {
			own[f.Name] = plain(f.Default)
		}
	}
	for k, v := range c.Fields {
		if !isEmpty(v) {
			own[k] = plain(v)
		}
	}
	custom := []any{}
	for _, name := range t.order(own) {
		custom = append(custom, map[string]any{"name": name, "title": title(name), "value": own[name]})
	}
	for k, v := range own {
		if _, known := all[k]; !known {
			all[k] = v
		}
	}
	all["custom"] = custom
	return all
}

// order returns the names in own: those of the template first, in its order.
func (t *Template) order(own map[string]any) []string {
	var names []string
	for _, f := range t.fields() {
		if _, ok := own[f.Name]; ok {
			names = append(names, f.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// title makes "budget_hours" "Budget hours".
func title(name string) string {
	name = strings.NewReplacer("_", " ", "-", " ").Replace(name)
	return strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
}

func confidence(c *sage.Checkpoint) any {
	if c.Confidence == nil {
		return nil
	}
	return *c.Confidence
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func texts(l []string) []any { return list(l, func(s string) any { return s }) }

func list[T any](l []T, fn func(T) any) []any {
	out := make([]any, 0, len(l))
	for _, x := range l {
		out = append(out, fn(x))
	}
	return out
}

// plain copies v and leaves out what is no plain value. A copy, because a
// template must not change the checkpoint.
func plain(v any) any {
	switch v := v.(type) {
	case nil, bool, string, int, float64:
		return v
	case int64:
		return int(v)
	case time.Time:
		return stamp(v)
	case []string:
		return texts(v)
	case []any:
		return list(v, plain)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = plain(x)
		}
		return out
	case []sage.Entry:
		out := make(map[string]any, len(v))
		for _, e := range v {
			out[e.Key] = plain(e.Value)
		}
		return out
	}
	return nil
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case []string:
		return len(v) == 0
	case map[string]any:
		for _, x := range v {
			if !isEmpty(x) {
				return false
			}
		}
		return true
	case int:
		return v == 0
	}
	return false
}
