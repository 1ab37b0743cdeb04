package sage

import (
	"reflect"
	"strings"
)

// Marshal prints an item as the Markdown it is stored as: front matter, then the
// content. FORMAT.md of package gitstore describes it. There is one form only, and
// [ParseItem] reads it back. Keys of Extra that have a meaning of their own are left
// out, bytes that are no UTF-8 are replaced, times are cut to seconds.
//
// Of a field whose versions disagree they are printed, unless the field no longer
// holds the first of them: then it is settled.
func (it *Item) Marshal() []byte {
	out := *it
	out.setDefaults()
	e := &emitter{}
	e.WriteString("---\n")
	p := printer{out.Variants}
	for _, x := range p.fields("", out.fields()) {
		e.entry(0, x.Key, x.Value)
	}
	for _, x := range plainEntries(out.Extra) {
		if !isItemKey(x.Key) {
			e.entry(0, x.Key, x.Value)
		}
	}
	e.WriteString("---\n")
	writeContent(e, clean(out.Content))
	return []byte(e.String())
}

// writeContent puts a blank line before a content; before each version of one that
// a merge left, since that is how merges see it.
func writeContent(e *emitter, s string) {
	s = tidyContent(s)
	if s == "" {
		return
	}
	list := Versions(s)
	for i := range list {
		list[i] = "\n" + strings.Trim(list[i], "\n") + "\n"
	}
	e.WriteString(JoinVersions(list))
}

// A printer turns fields into what an emitter takes, with the versions that
// disagree.
type printer struct{ variants []Entry }

func (p printer) fields(prefix string, list []field) []Entry {
	out := []Entry{}
	for _, f := range list {
		if v, ok := p.field(prefix, f); ok {
			out = append(out, Entry{f.key, v})
		}
	}
	return out
}

func (p printer) field(prefix string, f field) (any, bool) {
	path := prefix + f.key
	if list, ok := p.open(path, f.ptr); ok {
		return []Entry{{variantsKey, plainValue(list)}}, true
	}
	parts := fieldsOf(f, p.variants)
	m := p.fields(path+".", parts)
	switch v := f.ptr.(type) {
	case *Scope:
		for _, x := range plainEntries(v.Extra) {
			if find(parts, x.Key) == nil {
				m = append(m, x)
			}
		}
		return m, len(m) > 0
	case *[]Link:
		return m, len(m) > 0
	}
	return plain(f.ptr)
}

// open returns the versions of a field if nobody has settled it: it holds what was
// read of them.
func (p printer) open(path string, ptr any) (list []any, ok bool) {
	for _, x := range p.variants {
		if x.Key != path {
			continue
		}
		list, _ = x.Value.([]any)
		was := reflect.New(reflect.TypeOf(ptr).Elem())
		for _, v := range list {
			if readAlone(nodeOf(v), path, was.Interface()) {
				break
			}
		}
		one, _ := printer{}.field("", field{path, was.Interface()})
		two, _ := printer{}.field("", field{path, ptr})
		return list, len(list) > 1 && reflect.DeepEqual(one, two)
	}
	return nil, false
}

// nodeOf is what a value is read from.
func nodeOf(v any) *node {
	switch v := plainValue(v).(type) {
	case []any:
		return &node{kind: listNode, vals: mapped(v, nodeOf)}
	case []Entry:
		n := &node{kind: mapNode}
		for _, x := range v {
			n.add(x.Key, nodeOf(x.Value))
		}
		return n
	case string:
		return &node{text: v}
	default:
		return &node{text: scalar(v), plain: true}
	}
}
