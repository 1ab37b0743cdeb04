package sage

import (
	"math"
	"strings"
	"testing"
)

func TestValidate(t *testing.T) {
	type m = map[string]any
	type l = []any
	tests := map[string]struct {
		c    Checkpoint
		want string // "" is valid
	}{
		"empty":          {Checkpoint{}, ""},
		"not a number":   {Checkpoint{Confidence: ptr(math.NaN())}, "confidence: want a number from 0 to 1, have NaN"},
		"below":          {Checkpoint{Confidence: ptr(-0.1)}, "confidence: want a number from 0 to 1, have -0.1"},
		"bounds":         {Checkpoint{Confidence: ptr(1)}, ""},
		"ratio":          {Checkpoint{CompressionRatio: math.Inf(1)}, "compression_ratio: want a number from 0, have +Inf"},
		"count":          {Checkpoint{MessageCount: -1}, "message_count: want a number from 0, have -1"},
		"trigger":        {Checkpoint{Trigger: "whim"}, "trigger: want one of manual, synthesis, branch-point, constraint-discovered, topic-shift, user-validated, web-search-complete, context-threshold, precompact, research-start, handoff, session-end, recovery, have 'whim'"},
		"source type":    {Checkpoint{Sources: []Source{{}, {Type: "book"}}}, "sources[1].type: want one of person, document, code, api, experiment, observation, have 'book'"},
		"relation":       {Checkpoint{Sources: []Source{{Relation: "likes"}}}, "sources[0].relation: want one of supports, contradicts, nuances, context, have 'likes'"},
		"resolution":     {Checkpoint{Tensions: []Tension{{Resolution: "open"}}}, "tensions[0].resolution: want one of unresolved, resolved, moot, have 'open'"},
		"contribution":   {Checkpoint{UniqueContributions: []Contribution{{Type: "idea"}}}, "unique_contributions[0].type: want one of discovery, experiment, synthesis, internal_knowledge, have 'idea'"},
		"action":         {Checkpoint{Action: Action{Type: "fun"}}, "action_type: want one of decision, implementation, output, learning, exploration, have 'fun'"},
		"relevance":      {Checkpoint{CodeRefs: []CodeRef{{File: "a", Relevance: "nuances"}}}, "code_refs[0].relevance: want one of supports, contradicts, context, stale, have 'nuances'"},
		"no file":        {Checkpoint{CodeRefs: []CodeRef{{}}}, "code_refs[0].file: want a path relative to the repository's root, have nothing"},
		"lines backward": {Checkpoint{CodeRefs: []CodeRef{{File: "a", Lines: [2]int{9, 3}}}}, "code_refs[0].lines: want a first line from 1 and a last line not before it, have 9-3"},
		"bytes":          {Checkpoint{Thesis: "\xff"}, "thesis: text is not UTF-8"},
		"foreign type":   {Checkpoint{Fields: m{"n": 3}}, "fields.n: values of type int cannot be stored"},
		"too big":        {Checkpoint{Thesis: strings.Repeat("a", MaxSize)}, "checkpoint: 10485797 bytes exceed the limit of 10485760 for a checkpoint"},
		"control shown":  {Checkpoint{Trigger: "\x1b[31m"}, `have '\u{1b}[31m'`},
		"general":        {Checkpoint{Domain: "general", DomainData: m{"a": "b"}}, "domain_data: domain 'general' has no data of its own"},
		"other domain":   {Checkpoint{Domain: "cooking", DomainData: m{"problem": int64(1)}}, ""},
		"threat": {Checkpoint{Domain: "competitive_intel", DomainData: m{"competitive_moves": l{m{"company": "S", "threat_level": "huge"}}}},
			"domain_data.competitive_moves[0].threat_level: want one of high, medium, low, have 'huge'"},
		"gaps":          {Checkpoint{Domain: "competitive_intel", DomainData: m{"internal_gaps": l{"a"}, "internal_state": m{"gaps": l{"b"}}, "own": true}}, ""},
		"symptoms":      {Checkpoint{Domain: "technical", DomainData: m{"problem": m{"symptoms": "slow"}}}, "domain_data.problem.symptoms: want a list, have 'slow'"},
		"hypothesis":    {Checkpoint{Domain: "technical", DomainData: m{"hypotheses": l{"x"}}}, "domain_data.hypotheses[0]: want a mapping, have 'x'"},
		"status":        {Checkpoint{Domain: "technical", DomainData: m{"hypotheses": l{m{"status": true}}}}, "domain_data.hypotheses[0].status: want one of untested, confirmed, rejected, have true"},
		"ruled out":     {Checkpoint{Domain: "technical", DomainData: m{"ruled_out": l{l{}}}}, "domain_data.ruled_out[0]: want text, have a list"},
		"sample size":   {Checkpoint{Domain: "literature", DomainData: m{"methodology_notes": l{m{"sample_size": int64(12)}, m{"sample_size": nil}}}}, ""},
		"replicated":    {Checkpoint{Domain: "literature", DomainData: m{"replication_status": l{m{"replicated": "maybe"}}}}, "domain_data.replication_status[0].replicated: want one of yes, no, mixed, have 'maybe'"},
		"two at a time": {Checkpoint{MessageCount: -1, TokenEstimate: -2}, "message_count: want a number from 0, have -1\ntoken_estimate: want a number from 0, have -2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := tt.c.Validate()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasSuffix(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// Unquoted words of YAML 1.1 are words here: replicated: no is not false.
func TestDomainInput(t *testing.T) {
	in := "domain: literature\ndomain_data:\n  replication_status:\n  - {finding: x, replicated: no}\n  - {finding: y, replicated: yes}\n"
	if _, err := ParseInput([]byte(in), ""); err != nil {
		t.Error(err)
	}
}

func TestWords(t *testing.T) {
	got := Words("tensions.resolution")
	got[0] = "changed"
	if Words("tensions.resolution")[0] != "unresolved" {
		t.Error("Words gives its own slice away")
	}
	if Words("thesis") != nil {
		t.Error("thesis has no words")
	}
}

func TestValidateRefusesDepthAndCycles(t *testing.T) {
	loop := map[string]any{}
	loop["again"] = loop
	c := &Checkpoint{Fields: loop}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "nested more than") {
		t.Errorf("got %v", err)
	}
}
