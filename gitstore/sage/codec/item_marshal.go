package codec

import (
	"reflect"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
)

// MarshalItem prints an item as the Markdown it is stored as: front matter, then the
// content. FORMAT.md of package gitstore describes it. There is one form only, and
// [ParseItem] reads it back. Keys of Extra that have a meaning of their own are left
// out, bytes that are no UTF-8 are replaced, times are cut to seconds.
//
// Of a field whose versions disagree they are printed, unless the field no longer
// holds the first of them: then it is settled.
func MarshalItem(it *sage.Item) []byte {
	out := *it
	out.SetDefaults()
	e := &tree.Emitter{}
	e.WriteString("---\n")
	p := printer{out.Variants}
	for _, x := range p.fields("", out.Fields()) {
		e.Entry(0, x.Key, x.Value)
	}
	for _, x := range tree.PlainEntries(out.Extra) {
		if !sage.IsItemKey(x.Key) {
			e.Entry(0, x.Key, x.Value)
		}
	}
	e.WriteString("---\n")
	writeContent(e, clean(out.Content))
	return []byte(e.String())
}

// writeContent puts a blank line before a content; before each version of one that
// a merge left, since that is how merges see it.
func writeContent(e *tree.Emitter, s string) {
	s = versions.Tidy(s)
	if s == "" {
		return
	}
	list := versions.Split(s)
	for i := range list {
		list[i] = "\n" + strings.Trim(list[i], "\n") + "\n"
	}
	e.WriteString(versions.Join(list))
}

// A printer turns fields into what an emitter takes, with the versions that
// disagree.
type printer struct{ variants []sage.Entry }

func (p printer) fields(prefix string, list []sage.Field) []sage.Entry {
	out := []sage.Entry{}
	for _, f := range list {
		if v, ok := p.field(prefix, f); ok {
			out = append(out, sage.Entry{Key: f.Key, Value: v})
		}
	}
	return out
}

func (p printer) field(prefix string, f sage.Field) (any, bool) {
	path := prefix + f.Key
	if list, ok := p.open(path, f.Ptr); ok {
		return []sage.Entry{{Key: VariantsKey, Value: tree.PlainValue(list)}}, true
	}
	parts := sage.FieldsOf(f, p.variants)
	m := p.fields(path+".", parts)
	switch v := f.Ptr.(type) {
	case *sage.Scope:
		for _, x := range tree.PlainEntries(v.Extra) {
			if Find(parts, x.Key) == nil {
				m = append(m, x)
			}
		}
		return m, len(m) > 0
	case *[]sage.Link:
		return m, len(m) > 0
	}
	return Plain(f.Ptr)
}

// Disagreeing returns the versions of the field at a path if nobody has settled it, of all
// that an item has.
func Disagreeing(variants []sage.Entry, path string, ptr any) ([]any, bool) {
	return printer{variants}.open(path, ptr)
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
			if readAlone(tree.NodeOf(v), path, was.Interface()) {
				break
			}
		}
		one, _ := printer{}.field("", sage.Field{Key: path, Ptr: was.Interface()})
		two, _ := printer{}.field("", sage.Field{Key: path, Ptr: ptr})
		return list, len(list) > 1 && reflect.DeepEqual(one, two)
	}
	return nil, false
}
