package validate

import (
	"math"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sagetest"
)

func TestValidate(t *testing.T) {
	type m = map[string]any
	type l = []any
	tests := map[string]struct {
		c    sage.Checkpoint
		want string // "" is valid
	}{
		"empty":          {sage.Checkpoint{}, ""},
		"not a number":   {sage.Checkpoint{Confidence: sagetest.Ptr(math.NaN())}, "confidence: want a number from 0 to 1, have NaN"},
		"below":          {sage.Checkpoint{Confidence: sagetest.Ptr(-0.1)}, "confidence: want a number from 0 to 1, have -0.1"},
		"bounds":         {sage.Checkpoint{Confidence: sagetest.Ptr(1)}, ""},
		"ratio":          {sage.Checkpoint{CompressionRatio: math.Inf(1)}, "compression_ratio: want a number from 0, have +Inf"},
		"count":          {sage.Checkpoint{MessageCount: -1}, "message_count: want a number from 0, have -1"},
		"trigger":        {sage.Checkpoint{Trigger: "whim"}, "trigger: want one of manual, synthesis, branch-point, constraint-discovered, topic-shift, user-validated, web-search-complete, context-threshold, precompact, research-start, handoff, session-end, recovery, have 'whim'"},
		"source type":    {sage.Checkpoint{Sources: []sage.Source{{}, {Type: "book"}}}, "sources[1].type: want one of person, document, code, api, experiment, observation, have 'book'"},
		"relation":       {sage.Checkpoint{Sources: []sage.Source{{Relation: "likes"}}}, "sources[0].relation: want one of supports, contradicts, nuances, context, have 'likes'"},
		"resolution":     {sage.Checkpoint{Tensions: []sage.Tension{{Resolution: "open"}}}, "tensions[0].resolution: want one of unresolved, resolved, moot, have 'open'"},
		"contribution":   {sage.Checkpoint{UniqueContributions: []sage.Contribution{{Type: "idea"}}}, "unique_contributions[0].type: want one of discovery, experiment, synthesis, internal_knowledge, have 'idea'"},
		"action":         {sage.Checkpoint{Action: sage.Action{Type: "fun"}}, "action_type: want one of decision, implementation, output, learning, exploration, have 'fun'"},
		"relevance":      {sage.Checkpoint{CodeRefs: []sage.CodeRef{{File: "a", Relevance: "nuances"}}}, "code_refs[0].relevance: want one of supports, contradicts, context, stale, have 'nuances'"},
		"no file":        {sage.Checkpoint{CodeRefs: []sage.CodeRef{{}}}, "code_refs[0].file: want a path relative to the repository's root, have nothing"},
		"lines backward": {sage.Checkpoint{CodeRefs: []sage.CodeRef{{File: "a", Lines: [2]int{9, 3}}}}, "code_refs[0].lines: want a first line from 1 and a last line not before it, have 9-3"},
		"bytes":          {sage.Checkpoint{Thesis: "\xff"}, "thesis: text is not UTF-8"},
		"foreign type":   {sage.Checkpoint{Fields: m{"n": 3}}, "fields.n: values of type int cannot be stored"},
		"too big":        {sage.Checkpoint{Thesis: strings.Repeat("a", codec.MaxSize)}, "checkpoint: 10485797 bytes exceed the limit of 10485760 for a checkpoint"},
		"control shown":  {sage.Checkpoint{Trigger: "\x1b[31m"}, `have '\u{1b}[31m'`},
		"general":        {sage.Checkpoint{Domain: "general", DomainData: m{"a": "b"}}, "domain_data: domain 'general' has no data of its own"},
		"other domain":   {sage.Checkpoint{Domain: "cooking", DomainData: m{"problem": int64(1)}}, ""},
		"threat": {sage.Checkpoint{Domain: "competitive_intel", DomainData: m{"competitive_moves": l{m{"company": "S", "threat_level": "huge"}}}},
			"domain_data.competitive_moves[0].threat_level: want one of high, medium, low, have 'huge'"},
		"gaps":          {sage.Checkpoint{Domain: "competitive_intel", DomainData: m{"internal_gaps": l{"a"}, "internal_state": m{"gaps": l{"b"}}, "own": true}}, ""},
		"symptoms":      {sage.Checkpoint{Domain: "technical", DomainData: m{"problem": m{"symptoms": "slow"}}}, "domain_data.problem.symptoms: want a list, have 'slow'"},
		"hypothesis":    {sage.Checkpoint{Domain: "technical", DomainData: m{"hypotheses": l{"x"}}}, "domain_data.hypotheses[0]: want a mapping, have 'x'"},
		"status":        {sage.Checkpoint{Domain: "technical", DomainData: m{"hypotheses": l{m{"status": true}}}}, "domain_data.hypotheses[0].status: want one of untested, confirmed, rejected, have true"},
		"ruled out":     {sage.Checkpoint{Domain: "technical", DomainData: m{"ruled_out": l{l{}}}}, "domain_data.ruled_out[0]: want text, have a list"},
		"sample size":   {sage.Checkpoint{Domain: "literature", DomainData: m{"methodology_notes": l{m{"sample_size": int64(12)}, m{"sample_size": nil}}}}, ""},
		"replicated":    {sage.Checkpoint{Domain: "literature", DomainData: m{"replication_status": l{m{"replicated": "maybe"}}}}, "domain_data.replication_status[0].replicated: want one of yes, no, mixed, have 'maybe'"},
		"two at a time": {sage.Checkpoint{MessageCount: -1, TokenEstimate: -2}, "message_count: want a number from 0, have -1\ntoken_estimate: want a number from 0, have -2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := Checkpoint(&tt.c)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasSuffix(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestValidateRefusesDepthAndCycles(t *testing.T) {
	loop := map[string]any{}
	loop["again"] = loop
	c := &sage.Checkpoint{Fields: loop}
	if err := Checkpoint(c); err == nil || !strings.Contains(err.Error(), "nested more than") {
		t.Errorf("got %v", err)
	}
}
