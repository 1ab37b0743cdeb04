package sage

import (
	"slices"
	"strings"
	"sync"
)

// fields are the keys of an item's front matter, in the order of the canonical
// form.
func (it *Item) fields() []field {
	return []field{
		{"id", &it.ID},
		{"type", (*string)(&it.Type)},
		{"description", &it.Description},
		{"keywords", &it.Keywords},
		{"patterns", &it.Patterns},
		{"when", &it.When},
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
	for _, f := range (&Item{}).fields() {
		known[f.key] = true
	}
	return known
})

func (s *Scope) fields() []field {
	return []field{{"skills", &s.Skills}, {"always", &s.Always}, {"paths", &s.Paths}, {"user", &s.User}}
}

var linkKinds = []LinkKind{Related, Supersedes, Contradicts, Extends}

// linkFields are links by kind, as they stand in a file: known kinds first. Further
// kinds are there although nothing may be linked so.
func linkFields(links []Link, further ...LinkKind) (out []field) {
	kinds := slices.Clone(linkKinds)
	for _, l := range links {
		further = append(slices.Clip(further), l.Kind)
	}
	for _, k := range further {
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	for _, k := range kinds {
		var to []string
		for _, l := range links {
			if l.Kind == k {
				to = append(to, l.To)
			}
		}
		if to != nil || slices.Contains(further, k) {
			out = append(out, field{string(k), &to})
		}
	}
	return out
}

// fieldsOf are the parts of a field that is a mapping of its own, with the kinds of
// links of which versions disagree; nil if it is none.
func fieldsOf(f field, variants []Entry) []field {
	switch p := f.ptr.(type) {
	case *Scope:
		return p.fields()
	case *[]Link:
		var further []LinkKind
		for _, x := range variants {
			if kind, ok := strings.CutPrefix(x.Key, f.key+"."); ok {
				further = append(further, LinkKind(kind))
			}
		}
		return linkFields(*p, further...)
	}
	return nil
}

// inOrder puts versions that disagree into the order in which their fields stand.
func (it *Item) inOrder(variants []Entry) (out []Entry) {
	take := func(path string) {
		for _, x := range variants {
			if x.Key == path {
				out = append(out, x)
			}
		}
	}
	for _, f := range it.fields() {
		take(f.key)
		for _, g := range fieldsOf(f, variants) {
			take(f.key + "." + g.key)
		}
	}
	return out
}
