package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A shape says what a value of a domain's data must look like: a text, one of
// words, a list of of, or a mapping with fields. Keys that fields does not
// name may hold anything.
type shape struct {
	words  []string
	of     *shape
	fields map[string]shape
}

var (
	aText    = shape{}
	aLevel   = shape{words: []string{"high", "medium", "low"}}
	textList = listOf(aText)
)

func listOf(s shape) shape { return shape{of: &s} }

func groups(fields map[string]shape) shape { return listOf(shape{fields: fields}) }

// domains are the domains whose data is checked.
var domains = sync.OnceValue(func() map[string]map[string]shape {
	return map[string]map[string]shape{
		"competitive_intel": {
			"competitive_moves": groups(map[string]shape{
				"company": aText, "action": aText, "timeline": aText, "threat_level": aLevel,
			}),
			"internal_state": {fields: map[string]shape{
				"products": textList, "gaps": textList, "fragmentation_notes": aText,
			}},
			"internal_gaps": textList, // internal_state.gaps, written without its parent
			"key_people":    groups(map[string]shape{"name": aText, "role": aText, "relevance": aText}),
		},
		"technical": {
			"problem": {fields: map[string]shape{
				"symptoms": textList, "reproduction": aText, "constraints": textList,
			}},
			"hypotheses": groups(map[string]shape{
				"hypothesis": aText, "evidence": aText,
				"status": {words: []string{"untested", "confirmed", "rejected"}},
			}),
			"ruled_out":      textList,
			"solution_space": groups(map[string]shape{"approach": aText, "tradeoffs": aText, "viability": aLevel}),
		},
		"literature": {
			"theoretical_frameworks": groups(map[string]shape{"name": aText, "sources": textList, "core_claims": textList}),
			"methodology_notes": groups(map[string]shape{
				"source_id": aText, "methodology": aText, "limitations": aText, "sample_size": aText,
			}),
			"evidence_quality": groups(map[string]shape{"source_id": aText, "quality": aLevel, "reasoning": aText}),
			"replication_status": groups(map[string]shape{
				"finding": aText, "notes": aText,
				"replicated": {words: []string{"yes", "no", "mixed"}},
			}),
		},
	}
})

// domain checks the data of a known domain. Data of another is anybody's.
func (v *validator) domain(c *sage.Checkpoint) {
	v.values("domain_data", c.DomainData, 0)
	fields, known := domains()[c.Domain]
	switch {
	case c.Domain == "general" && len(c.DomainData) > 0:
		v.fail("domain_data", "domain 'general' has no data of its own")
	case known:
		v.shaped("domain_data", c.DomainData, shape{fields: fields})
	}
}

// shaped checks x against s; nil is an unset value.
func (v *validator) shaped(path string, x any, s shape) {
	if x == nil {
		return
	}
	switch {
	case s.of != nil:
		list, ok := x.([]any)
		if !ok {
			v.fail(path, "want a list, have %s", describeValue(x))
		}
		for i, item := range list {
			v.shaped(fmt.Sprintf("%s[%d]", path, i), item, *s.of)
		}
	case s.fields != nil:
		m, ok := x.(map[string]any)
		if !ok {
			v.fail(path, "want a mapping, have %s", describeValue(x))
		}
		for _, key := range slices.Sorted(maps.Keys(s.fields)) {
			v.shaped(path+"."+key, m[key], s.fields[key])
		}
	default:
		v.shapedText(path, x, s.words)
	}
}

// shapedText takes a number for text: a sample size or a year is often written
// without quotes.
func (v *validator) shapedText(path string, x any, words []string) {
	switch x := x.(type) {
	case string:
		if words != nil {
			v.word(path, x, words)
		}
		return
	case int64, float64:
		if words == nil {
			return
		}
	}
	if words != nil {
		v.fail(path, "want one of %s, have %s", strings.Join(words, ", "), describeValue(x))
		return
	}
	v.fail(path, "want text, have %s", describeValue(x))
}
