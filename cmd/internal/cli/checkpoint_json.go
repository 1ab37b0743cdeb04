package cli

import (
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// checkpointObject is what --json prints of a whole checkpoint. Its keys are
// those that save -F takes. Fields are only ever added.
type checkpointObject struct {
	ID                  string               `json:"id,omitempty"`
	Parents             []string             `json:"parents,omitempty"`
	Author              string               `json:"author,omitempty"`
	Time                *time.Time           `json:"ts,omitempty"`
	Trigger             sage.Trigger         `json:"trigger,omitempty"`
	Description         string               `json:"description,omitempty"`
	CoreQuestion        string               `json:"core_question,omitempty"`
	Thesis              string               `json:"thesis,omitempty"`
	Confidence          *float64             `json:"confidence,omitempty"`
	KeyEvidence         []string             `json:"key_evidence,omitempty"`
	ReasoningTrace      string               `json:"reasoning_trace,omitempty"`
	OpenQuestions       []string             `json:"open_questions,omitempty"`
	Sources             []sourceObject       `json:"sources,omitempty"`
	Tensions            []tensionObject      `json:"tensions,omitempty"`
	UniqueContributions []contributionObject `json:"unique_contributions,omitempty"`
	Action              *actionObject        `json:"action,omitempty"`
	Domain              string               `json:"domain,omitempty"`
	DomainData          map[string]any       `json:"domain_data,omitempty"`
	Fields              map[string]any       `json:"fields,omitempty"`
	Skill               string               `json:"skill,omitempty"`
	Project             string               `json:"project,omitempty"`
	Template            string               `json:"template,omitempty"`
	KnowledgeRecalled   []string             `json:"knowledge_recalled,omitempty"`
	MessageCount        int                  `json:"message_count,omitempty"`
	TokenEstimate       int                  `json:"token_estimate,omitempty"`
	CheckpointTokens    int                  `json:"checkpoint_tokens,omitempty"`
	CompressionRatio    float64              `json:"compression_ratio,omitempty"`
	FilesExplored       []string             `json:"files_explored,omitempty"`
	FilesChanged        []string             `json:"files_changed,omitempty"`
	CodeRefs            []codeRefObject      `json:"code_refs,omitempty"`
	SaidNone            []string             `json:"said_none,omitempty"` // fields that hold nothing on purpose
	Code                *codeObject          `json:"code,omitempty"`
	Session             string               `json:"session,omitempty"`
	Agent               string               `json:"agent,omitempty"`
	BranchFrom          string               `json:"branch_from,omitempty"`
	MergeSources        []string             `json:"merge_sources,omitempty"`
	ComponentTheses     []componentObject    `json:"component_theses,omitempty"`
	Aliases             []string             `json:"aliases,omitempty"`
	Names               []string             `json:"names,omitempty"`       // lines, forks and tags that point to it
	Removed             bool                 `json:"removed,omitempty"`     // a tombstone holds for it
	Unconfirmed         bool                 `json:"unconfirmed,omitempty"` // it came from elsewhere, whoever it names, and nobody here stands for it
	Extra               map[string]any       `json:"extra,omitempty"`       // front matter that this version does not know
}

type sourceObject struct {
	ID          string `json:"id,omitempty"`
	Type        string `json:"type,omitempty"`
	Identifier  string `json:"identifier,omitempty"`
	Credibility string `json:"credibility,omitempty"`
	Take        string `json:"take,omitempty"`
	Relation    string `json:"relation,omitempty"`
}

type tensionObject struct {
	Between    []string `json:"between,omitempty"`
	Nature     string   `json:"nature,omitempty"`
	Resolution string   `json:"resolution,omitempty"`
}

type contributionObject struct {
	Type    string `json:"type,omitempty"`
	Content string `json:"content,omitempty"`
}

type actionObject struct {
	Goal         string   `json:"goal,omitempty"`
	Type         string   `json:"type,omitempty"`
	Deadline     string   `json:"deadline,omitempty"`
	Stakeholders []string `json:"stakeholders,omitempty"`
}

type codeRefObject struct {
	File      string  `json:"file"`
	Lines     *[2]int `json:"lines,omitempty"` // first and last, from 1
	Blob      string  `json:"blob,omitempty"`
	Symbol    string  `json:"symbol,omitempty"`
	Snippet   string  `json:"snippet,omitempty"`
	Relevance string  `json:"relevance,omitempty"`
	sage.RefState
}

type codeObject struct {
	Commit  string `json:"commit,omitempty"`
	Branch  string `json:"branch,omitempty"`
	Tree    string `json:"tree,omitempty"`
	PatchID string `json:"patch_id,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"`
}

type componentObject struct {
	From   string `json:"from"`
	Thesis string `json:"thesis"`
}

func toCheckpointJSON(c *sage.Checkpoint, states []sage.RefState) checkpointObject {
	o := checkpointObject{
		ID: c.ID, Parents: c.Parents, Author: c.Author, Trigger: c.Trigger, Description: c.Description,
		CoreQuestion: c.CoreQuestion, Thesis: c.Thesis, Confidence: c.Confidence,
		KeyEvidence: c.KeyEvidence, ReasoningTrace: c.ReasoningTrace, OpenQuestions: c.OpenQuestions,
		Sources:             convert(c.Sources, func(s sage.Source) sourceObject { return sourceObject(s) }),
		Tensions:            convert(c.Tensions, func(t sage.Tension) tensionObject { return tensionObject(t) }),
		UniqueContributions: convert(c.UniqueContributions, func(u sage.Contribution) contributionObject { return contributionObject(u) }),
		ComponentTheses:     convert(c.ComponentTheses, func(t sage.ComponentThesis) componentObject { return componentObject(t) }),
		CodeRefs:            toCodeRefs(c.CodeRefs, states),
		SaidNone:            c.SaidNone,
		Domain:              c.Domain, DomainData: plainMap(c.DomainData), Fields: plainMap(c.Fields),
		Skill: c.Skill, Project: c.Project, Template: c.Template, KnowledgeRecalled: c.KnowledgeRecalled,
		MessageCount: c.MessageCount, TokenEstimate: c.TokenEstimate,
		CheckpointTokens: c.CheckpointTokens, CompressionRatio: c.CompressionRatio,
		FilesExplored: c.FilesExplored, FilesChanged: c.FilesChanged,
		Session: c.Session, Agent: c.Agent, BranchFrom: c.BranchFrom, MergeSources: c.MergeSources, Aliases: c.Aliases, Unconfirmed: c.Elsewhere || c.Unconfirmed,
	}
	if !c.Time.IsZero() {
		o.Time = &c.Time
	}
	if a := actionObject(c.Action); a.Goal+a.Type+a.Deadline != "" || len(a.Stakeholders) > 0 {
		o.Action = &a
	}
	if code := codeObject(c.Code); code != (codeObject{}) {
		o.Code = &code
	}
	for _, e := range c.Extra {
		if o.Extra == nil {
			o.Extra = map[string]any{}
		}
		o.Extra[e.Key] = plainValue(e.Value)
	}
	return o
}

// toCodeRefs are references with how their files are now, which may be not known.
func toCodeRefs(refs []sage.CodeRef, states []sage.RefState) []codeRefObject {
	out := convert(refs, toCodeRef)
	for i := range states {
		out[i].RefState = states[i]
	}
	return out
}

func toCodeRef(r sage.CodeRef) codeRefObject {
	o := codeRefObject{File: r.File, Blob: r.Blob, Symbol: r.Symbol, Snippet: r.Snippet, Relevance: r.Relevance}
	if r.Lines != [2]int{} {
		o.Lines = &r.Lines
	}
	return o
}

// plainValue makes ordered mappings ordinary ones, as JSON has them.
func plainValue(v any) any {
	switch v := v.(type) {
	case []sage.Entry:
		m := map[string]any{}
		for _, e := range v {
			m[e.Key] = plainValue(e.Value)
		}
		return m
	case map[string]any:
		return plainMap(v)
	case []any:
		return convert(v, plainValue)
	}
	return v
}

func plainMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = plainValue(v)
	}
	return out
}

func convert[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// showJSON prints c with what its commit knows.
func (a *app) showJSON(c *sage.Checkpoint, r gitstore.Record, states []sage.RefState) error {
	o := toCheckpointJSON(c, states)
	o.Names, o.Removed = r.Names, r.Removed
	return a.PrintJSON(o)
}
