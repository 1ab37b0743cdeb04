package diff

import (
	"reflect"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/merge"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// An ItemDifference is what one state of an item says and another does not, field by
// field in the order of the front matter, content last.
type ItemDifference struct {
	ID     string        `json:"id"`
	Fields []FieldChange `json:"fields"`
}

// A FieldChange is a field that differs. Of lists it tells what came and what went,
// of anything else the value before and after; nil is unset.
type FieldChange struct {
	Key        string   `json:"key"` // keywords, scope.skills, links.related, content, ...
	Previously any      `json:"previously,omitempty"`
	Now        any      `json:"now,omitempty"`
	Added      []string `json:"added,omitempty"`
	Dropped    []string `json:"dropped,omitempty"`
}

// Items compares two states of an item; nil is none. When it was updated makes
// no difference.
func Items(a, b *sage.Item) ItemDifference {
	if a == nil {
		a = &sage.Item{}
	}
	if b == nil {
		b = &sage.Item{}
	}
	d := ItemDifference{ID: b.ID}
	if d.ID == "" {
		d.ID = a.ID
	}
	before, after := flat(a), flat(b)
	for _, key := range keysOf(before, after) {
		if key != "updated" && key != "id" {
			d.compare(key, codec.Find(before, key), codec.Find(after, key))
		}
	}
	d.compare(merge.ContentKey, &a.Content, &b.Content)
	return d
}

// Empty reports whether there is no difference.
func (d ItemDifference) Empty() bool { return len(d.Fields) == 0 }

// flat are the fields of an item with those of its parts, and keys that nobody knows.
func flat(it *sage.Item) (out []sage.Field) {
	for _, f := range it.Fields() {
		switch p := f.Ptr.(type) {
		case *sage.Scope:
			out = append(out, prefixed("scope.", p.Fields())...)
			out = append(out, entryFields("scope.", p.Extra)...)
		case *[]sage.Link:
			out = append(out, prefixed("links.", sage.LinkFields(*p))...)
		case *[]sage.CodeRef:
			refs := legible.Each(*p, sage.CodeRef.Line)
			out = append(out, sage.Field{Key: f.Key, Ptr: &refs})
		default:
			out = append(out, f)
		}
	}
	out = append(out, entryFields("", it.Extra)...)
	return append(out, entryFields("variants.", it.Variants)...) // of which one was chosen, perhaps
}

func prefixed(prefix string, list []sage.Field) []sage.Field {
	return legible.Each(list, func(f sage.Field) sage.Field { return sage.Field{Key: prefix + f.Key, Ptr: f.Ptr} })
}

func entryFields(prefix string, list []sage.Entry) []sage.Field {
	return legible.Each(list, func(x sage.Entry) sage.Field { return sage.Field{Key: prefix + x.Key, Ptr: &x} })
}

// keysOf are the keys of both lists, in the order of the first and then the second.
func keysOf(a, b []sage.Field) (keys []string) {
	seen := map[string]bool{}
	for _, list := range [][]sage.Field{a, b} {
		for _, f := range list {
			if !seen[f.Key] {
				seen[f.Key] = true
				keys = append(keys, f.Key)
			}
		}
	}
	return keys
}

func (d *ItemDifference) compare(key string, a, b any) {
	if list, ok := listsOf(a, b); ok {
		if added, dropped, _ := compare(bySelf, list[0], list[1]); len(added)+len(dropped) > 0 {
			d.Fields = append(d.Fields, FieldChange{Key: key, Added: added, Dropped: dropped})
		}
		return
	}
	before, after := flatValue(a), flatValue(b)
	if !reflect.DeepEqual(before, after) {
		d.Fields = append(d.Fields, FieldChange{Key: key, Previously: before, Now: after})
	}
}

// listsOf are two lists of texts; nil counts as an empty one beside another.
func listsOf(a, b any) (out [2][]string, ok bool) {
	for i, p := range []any{a, b} {
		switch p := p.(type) {
		case *[]string:
			out[i], ok = *p, true
		case nil:
		default:
			return out, false
		}
	}
	return out, ok
}

func flatValue(ptr any) any {
	switch p := ptr.(type) {
	case nil:
		return nil
	case *sage.Entry:
		return tree.Finite(p.Value)
	}
	if v, ok := codec.Plain(ptr); ok {
		return v
	}
	return nil
}

// Text shows a difference to a person, or "" if there is none: headings, and under
// them what is new behind +, what is gone behind - and what changed behind ~, of longer
// texts by paragraph; with colour, in green, red and yellow.
func (d ItemDifference) Text(color bool) string {
	w := &diffWriter{color: color}
	for _, f := range d.Fields {
		before, isText := f.Previously.(string)
		after, isText2 := f.Now.(string)
		switch {
		case len(f.Added)+len(f.Dropped) > 0:
			w.delta(f.Key, &Delta{f.Added, f.Dropped})
		case (isText || isText2) && (f.Key == merge.ContentKey || strings.Contains(before+after, "\n")):
			w.paragraphs(f.Key, before, after)
		default:
			w.heading(f.Key)
			w.item('~', tree.ValueText(f.Previously)+" -> "+tree.ValueText(f.Now))
		}
	}
	return w.String()
}
