package wire

import (
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/suspect"
)

// Checkpoint is what --json prints of a whole checkpoint. Its keys are
// those that save -F takes. Fields are only ever added.
type Checkpoint struct {
	ID                  string            `json:"id,omitempty"`
	Parents             []string          `json:"parents,omitempty"`
	Author              string            `json:"author,omitempty"`
	Time                *time.Time        `json:"ts,omitempty"`
	Trigger             sage.Trigger      `json:"trigger,omitempty"`
	Description         string            `json:"description,omitempty"`
	CoreQuestion        string            `json:"core_question,omitempty"`
	Thesis              string            `json:"thesis,omitempty"`
	Confidence          *float64          `json:"confidence,omitempty"`
	KeyEvidence         []string          `json:"key_evidence,omitempty"`
	ReasoningTrace      string            `json:"reasoning_trace,omitempty"`
	OpenQuestions       []string          `json:"open_questions,omitempty"`
	Sources             []source          `json:"sources,omitempty"`
	Tensions            []tension         `json:"tensions,omitempty"`
	UniqueContributions []contribution    `json:"unique_contributions,omitempty"`
	Action              *action           `json:"action,omitempty"`
	Domain              string            `json:"domain,omitempty"`
	DomainData          map[string]any    `json:"domain_data,omitempty"`
	Fields              map[string]any    `json:"fields,omitempty"`
	Skill               string            `json:"skill,omitempty"`
	Project             string            `json:"project,omitempty"`
	Template            string            `json:"template,omitempty"`
	KnowledgeRecalled   []string          `json:"knowledge_recalled,omitempty"`
	MessageCount        int               `json:"message_count,omitempty"`
	TokenEstimate       int               `json:"token_estimate,omitempty"`
	CheckpointTokens    int               `json:"checkpoint_tokens,omitempty"`
	CompressionRatio    float64           `json:"compression_ratio,omitempty"`
	FilesExplored       []string          `json:"files_explored,omitempty"`
	FilesChanged        []string          `json:"files_changed,omitempty"`
	CodeRefs            []codeRef         `json:"code_refs,omitempty"`
	SaidNone            []string          `json:"said_none,omitempty"` // fields that hold nothing on purpose
	Code                *code             `json:"code,omitempty"`
	Session             string            `json:"session,omitempty"`
	Agent               string            `json:"agent,omitempty"`
	BranchFrom          string            `json:"branch_from,omitempty"`
	MergeSources        []string          `json:"merge_sources,omitempty"`
	ComponentTheses     []componentThesis `json:"component_theses,omitempty"`
	Aliases             []string          `json:"aliases,omitempty"`
	Names               []string          `json:"names,omitempty"`       // lines, forks and tags that point to it
	Removed             bool              `json:"removed,omitempty"`     // a tombstone holds for it
	Refused             bool              `json:"refused,omitempty"`     // by this user
	Trace               *Trace            `json:"trace,omitempty"`       // how it came here; show alone prints it
	Suspect             []string          `json:"suspect,omitempty"`     // rules that it breaks, see docs/trust.md; agents are not shown it
	Unconfirmed         bool              `json:"unconfirmed,omitempty"` // it came from elsewhere, whoever it names, and nobody here stands for it
	Extra               map[string]any    `json:"extra,omitempty"`       // front matter that this version does not know
}

type source struct {
	ID          string `json:"id,omitempty"`
	Type        string `json:"type,omitempty"`
	Identifier  string `json:"identifier,omitempty"`
	Credibility string `json:"credibility,omitempty"`
	Take        string `json:"take,omitempty"`
	Relation    string `json:"relation,omitempty"`
}

type tension struct {
	Between    []string `json:"between,omitempty"`
	Nature     string   `json:"nature,omitempty"`
	Resolution string   `json:"resolution,omitempty"`
}

type contribution struct {
	Type    string `json:"type,omitempty"`
	Content string `json:"content,omitempty"`
}

type action struct {
	Goal         string   `json:"goal,omitempty"`
	Type         string   `json:"type,omitempty"`
	Deadline     string   `json:"deadline,omitempty"`
	Stakeholders []string `json:"stakeholders,omitempty"`
}

type codeRef struct {
	File      string  `json:"file"`
	Lines     *[2]int `json:"lines,omitempty"` // first and last, from 1
	Blob      string  `json:"blob,omitempty"`
	Symbol    string  `json:"symbol,omitempty"`
	Snippet   string  `json:"snippet,omitempty"`
	Relevance string  `json:"relevance,omitempty"`
	sage.RefState
}

type code struct {
	Commit  string `json:"commit,omitempty"`
	Branch  string `json:"branch,omitempty"`
	Tree    string `json:"tree,omitempty"`
	PatchID string `json:"patch_id,omitempty"`
	Dirty   bool   `json:"dirty,omitempty"`
}

type componentThesis struct {
	From   string `json:"from"`
	Thesis string `json:"thesis"`
}

// CheckpointOf is a whole checkpoint; states say how the files of its references are now.
func CheckpointOf(c *sage.Checkpoint, states []sage.RefState) Checkpoint {
	o := Checkpoint{
		ID: c.ID, Parents: c.Parents, Author: c.Author, Trigger: c.Trigger, Description: c.Description,
		CoreQuestion: c.CoreQuestion, Thesis: c.Thesis, Confidence: c.Confidence,
		KeyEvidence: c.KeyEvidence, ReasoningTrace: c.ReasoningTrace, OpenQuestions: c.OpenQuestions,
		Sources:             lists.Map(c.Sources, func(s sage.Source) source { return source(s) }),
		Tensions:            lists.Map(c.Tensions, func(t sage.Tension) tension { return tension(t) }),
		UniqueContributions: lists.Map(c.UniqueContributions, func(u sage.Contribution) contribution { return contribution(u) }),
		ComponentTheses:     lists.Map(c.ComponentTheses, func(t sage.ComponentThesis) componentThesis { return componentThesis(t) }),
		CodeRefs:            codeRefsOf(c.CodeRefs, states),
		SaidNone:            c.SaidNone,
		Domain:              c.Domain, DomainData: plainMap(c.DomainData), Fields: plainMap(c.Fields),
		Skill: c.Skill, Project: c.Project, Template: c.Template, KnowledgeRecalled: c.KnowledgeRecalled,
		MessageCount: c.MessageCount, TokenEstimate: c.TokenEstimate,
		CheckpointTokens: c.CheckpointTokens, CompressionRatio: c.CompressionRatio,
		FilesExplored: c.FilesExplored, FilesChanged: c.FilesChanged,
		Session: c.Session, Agent: c.Agent, BranchFrom: c.BranchFrom, MergeSources: c.MergeSources, Aliases: c.Aliases, Unconfirmed: c.Elsewhere || c.Unconfirmed,
	}
	if c.Elsewhere {
		o.Suspect = suspect.Rules(provenance.SuspectCheckpoint(c))
	}
	if !c.Time.IsZero() {
		o.Time = &c.Time
	}
	if a := action(c.Action); a.Goal+a.Type+a.Deadline != "" || len(a.Stakeholders) > 0 {
		o.Action = &a
	}
	if made := code(c.Code); made != (code{}) {
		o.Code = &made
	}
	for _, e := range c.Extra {
		if o.Extra == nil {
			o.Extra = map[string]any{}
		}
		o.Extra[e.Key] = plainValue(e.Value)
	}
	return o
}

// codeRefsOf are references with how their files are now, which may be not known.
func codeRefsOf(refs []sage.CodeRef, states []sage.RefState) []codeRef {
	out := lists.Map(refs, codeRefOf)
	for i := range states {
		out[i].RefState = states[i]
	}
	return out
}

func codeRefOf(r sage.CodeRef) codeRef {
	o := codeRef{File: r.File, Blob: r.Blob, Symbol: r.Symbol, Snippet: r.Snippet, Relevance: r.Relevance}
	if r.Lines != [2]int{} {
		o.Lines = &r.Lines
	}
	return o
}
