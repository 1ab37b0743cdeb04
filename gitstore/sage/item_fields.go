package sage

import (
	"slices"
	"sync"
)

// A sheet is a file of Markdown with front matter as the knowledge tree has them:
// where its parts lie.
type sheet struct {
	fields          []field
	body            *string
	variants, extra *[]Entry
	known           func(key string) bool // what extra cannot hold
}

func (it *Item) sheet() sheet {
	return sheet{itemFields(it), &it.Content, &it.Variants, &it.Extra, isItemKey}
}

// itemFields are the keys of an item's front matter, in the order of the canonical
// form.
func itemFields(it *Item) []field {
	return []field{
		{"id", &it.ID},
		{"type", (*string)(&it.Type)},
		{"description", &it.Description},
		{"keywords", &it.Keywords},
		{"patterns", &it.Patterns},
		{"scope", &it.Scope},
		{"source", &it.Source},
		{"added", &it.Added},
		{"updated", &it.Updated},
		{"status", (*string)(&it.Status)},
		{"reason", &it.Reason},
		{"replacement", &it.Replacement},
		{"links", &it.Links},
		{"code_refs", &it.CodeRefs},
		{"approach", &it.Approach},
		{"why_failed", &it.WhyFailed},
		{"learned", &it.Learned},
		{"deleted_by", &it.DeletedBy},
	}
}

// tokensKey is what others write and we compute.
const tokensKey = "tokens"

func isItemKey(key string) bool { return itemKeys()[key] }

var itemKeys = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{tokensKey: true}
	for _, f := range itemFields(&Item{}) {
		known[f.key] = true
	}
	return known
})

func scopeFields(s *Scope) []field {
	return []field{{"skills", &s.Skills}, {"always", &s.Always}, {"paths", &s.Paths}, {"user", &s.User}}
}

var linkKinds = []LinkKind{Related, Supersedes, Contradicts, Extends}

// linkFields are links by kind, as they stand in a file: known kinds first.
func linkFields(links []Link) (out []field) {
	kinds := slices.Clone(linkKinds)
	for _, l := range links {
		if !slices.Contains(kinds, l.Kind) {
			kinds = append(kinds, l.Kind)
		}
	}
	for _, k := range kinds {
		var to []string
		for _, l := range links {
			if l.Kind == k {
				to = append(to, l.To)
			}
		}
		if to != nil {
			out = append(out, field{string(k), &to})
		}
	}
	return out
}
