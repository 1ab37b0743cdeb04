package sage

import (
	"slices"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// ItemEnums are the words that a field of an item may hold.
var ItemEnums = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"type": {string(Knowledge), string(Preference), string(Todo), string(Reference), string(Failure),
			string(Note), string(Skill), string(Doc)},
		"status": {string(Active), string(Pending), string(Done), string(Archived), string(Deprecated), string(Superseded)},
	}
})

// ItemWords returns the words that an item of knowledge may have as type, status or
// kind of links ("links"); nil for any other field.
func ItemWords(field string) []string {
	if field == "type" {
		return slices.Clone(ItemEnums()["type"][:5])
	}
	if field == "links" {
		return legible.Each(LinkKinds, func(k LinkKind) string { return string(k) })
	}
	return slices.Clone(ItemEnums()[field])
}

// Kinds returns the words that people have for the types of items.
func Kinds() []string {
	return legible.Each(ItemWords("type"), func(t string) string { return ItemType(t).Kind() })
}

// Words returns the words that [validate.Checkpoint] allows in a field: trigger,
// action_type, sources.type, sources.relation, tensions.resolution,
// unique_contributions.type or code_refs.relevance; nil for any other.
func Words(field string) []string { return slices.Clone(WordSets()[field]) }

// WordSets are the words that a field may hold; an empty field is unset.
var WordSets = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"trigger": {
			string(Manual), string(Synthesis), string(BranchPoint), string(ConstraintDiscovered), string(TopicShift),
			string(UserValidated), string(WebSearchComplete), string(ContextThreshold), string(PreCompact),
			string(ResearchStart), string(Handoff), string(SessionEnd), string(Recovery),
		},
		"action_type":               {"decision", "implementation", "output", "learning", "exploration"},
		"sources.type":              {"person", "document", "code", "api", "experiment", "observation"},
		"sources.relation":          {"supports", "contradicts", "nuances", "context"},
		"tensions.resolution":       {"unresolved", "resolved", "moot"},
		"unique_contributions.type": {"discovery", "experiment", "synthesis", "internal_knowledge"},
		"code_refs.relevance":       {"supports", "contradicts", "context", "stale"},
	}
})
