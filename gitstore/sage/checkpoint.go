package sage

import (
	"slices"
	"strings"
	"time"
)

// Rules is the agent of a checkpoint that git-sage itself took out of a conversation.
const Rules = "git-sage"

// A Checkpoint is the state of a piece of research at one moment.
//
// The zero value is an empty checkpoint. Fields of the third group and Elsewhere are
// known from the commit that holds the checkpoint and from the store, and are not part
// of its Markdown.
type Checkpoint struct {
	// What was thought.
	CoreQuestion        string         // the decision or action that the research drives toward
	Thesis              string         // the position held now
	Confidence          *float64       // in the thesis, 0..1; nil when not given
	KeyEvidence         []string       // facts that carry the thesis
	ReasoningTrace      string         // how the thesis was reached
	OpenQuestions       []string       // what is still unknown
	Sources             []Source       // who says what, compressed to what matters
	Tensions            []Tension      // where sources disagree
	UniqueContributions []Contribution // what no outside source says
	Action              Action         // what the research is for
	Domain              string         // general, competitive_intel, technical, literature or any other word
	DomainData          map[string]any // fields of the domain; see Value for what it may hold
	Fields              map[string]any // fields that a template adds; see Value

	// How it came about.
	Time              time.Time // when it was recorded, to the second
	Trigger           Trigger
	Description       string // one line given by its author; see Describe
	Skill             string
	Project           string
	Template          string
	KnowledgeRecalled []string // ids of the knowledge items that were in front of the author
	MessageCount      int      // turns of the conversation so far
	TokenEstimate     int      // tokens of the conversation so far
	CheckpointTokens  int      // tokens of this checkpoint: characters / 4
	CompressionRatio  float64  // CheckpointTokens / TokenEstimate; 0 when unknown
	FilesExplored     []string // paths relative to the repository's root
	FilesChanged      []string
	CodeRefs          []CodeRef
	SaidNone          []string // fields that hold nothing on purpose, such as open_questions; see SayNone
	Code              CodeState
	Session           string // session of the agent that saved it
	Agent             string // which agent: claude-code, a subagent's type, ...
	BranchFrom        string // the checkpoint that this one left to explore another path
	MergeSources      []string
	ComponentTheses   []ComponentThesis // set while the thesis is NeedsSynthesis
	Aliases           []string          // ids that it had elsewhere; they resolve too

	// Known from the commit.
	ID      string
	Parents []string
	Author  string // "Name <mail>", which anybody can claim to be

	// It came from elsewhere, all of it or in part, and nobody here stands for it.
	Elsewhere bool
	// It was made here, of what came from elsewhere; Elsewhere is true as well.
	Mixed bool
	// Rules made it, and nobody confirmed it or saved on top of it.
	Unconfirmed bool

	// Extra holds front matter keys that this version does not know, in the
	// order in which they were read. They survive edits.
	Extra []Entry
}

// Distilled is the key of Extra that says which model wrote a checkpoint or an item out of
// a conversation: a mapping of model, input_tokens, output_tokens and, where it is known,
// cost_usd. Nobody stands for what has it until they say so.
const Distilled = "distilled"

// IsDistilled reports whether a model wrote what has these keys.
func IsDistilled(extra []Entry) bool {
	return slices.ContainsFunc(extra, func(x Entry) bool { return x.Key == Distilled })
}

// CorrectsKey is the key of Extra that names the checkpoint which a corrected one stands for.
const CorrectsKey = "corrects"

// Corrects is the id of the checkpoint that c stands for; "" if it corrects none.
func (c *Checkpoint) Corrects() string {
	for _, x := range c.Extra {
		if id, ok := x.Value.(string); ok && x.Key == CorrectsKey {
			return id
		}
	}
	return ""
}

// An Entry is one key of a mapping whose order matters.
type Entry struct {
	Key   string
	Value any // see Value
}

// A Source is somebody or something that says something about the question.
type Source struct {
	ID          string `json:"id,omitempty"`
	Type        string `json:"type,omitempty"`        // person, document, code, api, experiment, observation
	Identifier  string `json:"identifier,omitempty"`  // name, URL, handle
	Credibility string `json:"credibility,omitempty"` // why to trust it
	Take        string `json:"take,omitempty"`        // what it says, as far as it matters for the decision
	Relation    string `json:"relation,omitempty"`    // supports, contradicts, nuances, context
}

// A Tension is a disagreement between sources.
type Tension struct {
	Between    []string `json:"between,omitempty"` // ids of sources
	Nature     string   `json:"nature,omitempty"`
	Resolution string   `json:"resolution,omitempty"` // unresolved, resolved, moot
}

// A Contribution is something that was found here and not read elsewhere.
type Contribution struct {
	Type    string `json:"type,omitempty"` // discovery, experiment, synthesis, internal_knowledge
	Content string `json:"content"`
}

// An Action is what the research is for.
type Action struct {
	Goal         string
	Type         string // decision, implementation, output, learning, exploration
	Deadline     string // a date or time as its author wrote it
	Stakeholders []string
}

// A CodeRef points to the code that a conclusion rests on.
type CodeRef struct {
	File      string `json:"file"`           // relative to the repository's root
	Lines     [2]int `json:"lines,omitzero"` // first and last line, from 1; zero when the whole file is meant
	Blob      string `json:"blob,omitempty"` // object id of the file as it was read
	Symbol    string `json:"symbol,omitempty"`
	Snippet   string `json:"snippet,omitempty"`
	Relevance string `json:"relevance,omitempty"` // supports, contradicts, context, stale
}

// A CodeState is where the user's own code stood.
type CodeState struct {
	Commit  string // HEAD; empty when it was unborn
	Branch  string // short name; empty when HEAD was detached
	Tree    string // tree of HEAD
	PatchID string // stable patch id of HEAD, which survives a rebase
	Dirty   bool
}

// A ComponentThesis is one side's thesis in a merge that nobody has settled yet.
type ComponentThesis struct {
	From   string `json:"from"` // id of the checkpoint that held it
	Thesis string `json:"thesis"`
}

// NeedsSynthesis is the thesis of a merge whose sides disagree.
const NeedsSynthesis = "NEEDS SYNTHESIS"

// A Trigger says why a checkpoint was saved.
type Trigger string

// The triggers. An unknown one is kept as it is when read, and refused when
// given by a user.
const (
	Manual               Trigger = "manual"
	Synthesis            Trigger = "synthesis"
	BranchPoint          Trigger = "branch_point"
	ConstraintDiscovered Trigger = "constraint_discovered"
	TopicShift           Trigger = "topic_shift"
	UserValidated        Trigger = "user_validated"
	WebSearchComplete    Trigger = "web_search_complete"
	ContextThreshold     Trigger = "context_threshold"
	PreCompact           Trigger = "precompact"
	ResearchStart        Trigger = "research_start"
	Handoff              Trigger = "handoff"
	SessionEnd           Trigger = "session_end"
	Recovery             Trigger = "recovery"
)

// Name is the trigger as people write it: branch-point.
func (t Trigger) Name() string { return strings.ReplaceAll(string(t), "_", "-") }
