package sage

import (
	"slices"
	"strings"
	"sync"
)

// Fields are the keys of an item's front matter, in the order of the canonical
// form.
func (it *Item) Fields() []Field {
	return []Field{
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
		{"aliases", &it.Aliases},
		{"deleted_by", &it.DeletedBy},
	}
}

// TokensKey is what others write and we compute.
const TokensKey = "tokens"

func IsItemKey(key string) bool { return itemKeys()[key] }

var itemKeys = sync.OnceValue(func() map[string]bool {
	known := map[string]bool{TokensKey: true}
	for _, f := range (&Item{}).Fields() {
		known[f.Key] = true
	}
	return known
})

func (s *Scope) Fields() []Field {
	return []Field{{"skills", &s.Skills}, {"always", &s.Always}, {"paths", &s.Paths}, {"user", &s.User}}
}

var LinkKinds = []LinkKind{Related, Supersedes, Contradicts, Extends}

// LinkFields are links by kind, as they stand in a file: known kinds first. Further
// kinds are there although nothing may be linked so.
func LinkFields(links []Link, further ...LinkKind) (out []Field) {
	to, wanted := map[LinkKind][]string{}, map[LinkKind]bool{} // anybody can send any number of links, and of kinds
	kinds := append(slices.Clone(LinkKinds), further...)
	for _, k := range further {
		wanted[k] = true
	}
	for _, l := range links {
		if len(to[l.Kind]) == 0 {
			kinds = append(kinds, l.Kind)
		}
		to[l.Kind], wanted[l.Kind] = append(to[l.Kind], l.To), true
	}
	for _, k := range kinds {
		if wanted[k] {
			ids := to[k]
			out, wanted[k] = append(out, Field{string(k), &ids}), false
		}
	}
	return out
}

// FieldsOf are the parts of a field that is a mapping of its own, with the kinds of
// links of which versions disagree; nil if it is none.
func FieldsOf(f Field, variants []Entry) []Field {
	switch p := f.Ptr.(type) {
	case *Scope:
		return p.Fields()
	case *[]Link:
		var further []LinkKind
		for _, x := range variants {
			if kind, ok := strings.CutPrefix(x.Key, f.Key+"."); ok {
				further = append(further, LinkKind(kind))
			}
		}
		return LinkFields(*p, further...)
	}
	return nil
}

// InOrder puts versions that disagree into the order in which their fields stand.
func (it *Item) InOrder(variants []Entry) (out []Entry) {
	take := func(path string) {
		for _, x := range variants {
			if x.Key == path {
				out = append(out, x)
			}
		}
	}
	for _, f := range it.Fields() {
		take(f.Key)
		for _, g := range FieldsOf(f, variants) {
			take(f.Key + "." + g.Key)
		}
	}
	return out
}

// At is where the value of a path of the front matter lies, or nil.
func (it *Item) At(path string) any {
	for _, f := range it.Fields() {
		if f.Key == path {
			return f.Ptr
		}
		for _, g := range FieldsOf(f, it.Variants) {
			if f.Key+"."+g.Key == path {
				return g.Ptr
			}
		}
	}
	return nil
}

func LinksOf(fields []Field) (out []Link) {
	for _, f := range fields {
		for _, id := range *f.Ptr.(*[]string) {
			out = append(out, Link{LinkKind(f.Key), id})
		}
	}
	return out
}
