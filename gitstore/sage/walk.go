package sage

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"
)

// A Walker visits every text of a checkpoint with the path of its field, and
// replaces it.
type Walker struct {
	Fn  func(path, s string) (string, error)
	err error
}

func (w *Walker) Checkpoint(c *Checkpoint) {
	for _, f := range append(c.Header(), c.Others()...) {
		if f.Key != "id" && f.Key != "parents" && f.Key != "action" { // action_... are the same fields
			w.field(f.Key, f.Ptr)
		}
	}
	for i, x := range c.Extra {
		c.Extra[i] = Entry{w.text("extra", x.Key), w.value("extra", x.Value)}
	}
}

func (w *Walker) text(path, s string) string {
	if w.err != nil {
		return s
	}
	t, err := w.Fn(path, s)
	if err != nil {
		w.err = fmt.Errorf("%s: %w", path, err)
		return s
	}
	return t
}

func (w *Walker) field(path string, ptr any) {
	switch p := ptr.(type) {
	case *string:
		*p = w.text(path, *p)
	case *[]string:
		for i, s := range *p {
			(*p)[i] = w.text(fmt.Sprintf("%s[%d]", path, i), s)
		}
	case *map[string]any:
		if *p != nil {
			*p = w.value(path, *p).(map[string]any)
		}
	case *CodeState:
		w.fields(path, p.Fields())
	case *Scope:
		w.fields(path, p.Fields())
		for i, x := range p.Extra {
			p.Extra[i] = Entry{w.text("extra", x.Key), w.value("extra", x.Value)}
		}
	case *[]Link:
		for i, l := range *p {
			(*p)[i] = Link{LinkKind(w.text(path+".kind", string(l.Kind))), w.text(path+".to", l.To)}
		}
	case *[]Source:
		walkGroups(w, path, *p, (*Source).Fields)
	case *[]Tension:
		walkGroups(w, path, *p, (*Tension).Fields)
	case *[]Contribution:
		walkGroups(w, path, *p, (*Contribution).Fields)
	case *[]CodeRef:
		walkGroups(w, path, *p, (*CodeRef).Fields)
	case *[]ComponentThesis:
		walkGroups(w, path, *p, (*ComponentThesis).Fields)
	}
}

func (w *Walker) fields(path string, list []Field) {
	for _, f := range list {
		w.field(path+"."+f.Key, f.Ptr)
	}
}

func walkGroups[T any](w *Walker, path string, list []T, fields func(*T) []Field) {
	for i := range list {
		w.fields(fmt.Sprintf("%s[%d]", path, i), fields(&list[i]))
	}
}

// value visits keys too. Two keys that become one get a number, so that no
// value is lost.
func (w *Walker) value(path string, v any) any {
	switch v := v.(type) {
	case string:
		return w.text(path, v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = w.value(path, x)
		}
		return out
	case map[string]any:
		return w.mapping(path, v)
	}
	return v
}

func (w *Walker) mapping(path string, m map[string]any) map[string]any {
	out, times := make(map[string]any, len(m)), map[string]int{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		name := w.text(path, k)
		key := name
		for _, taken := out[key]; taken; _, taken = out[key] {
			times[name]++
			key = fmt.Sprintf("%s (%d)", name, times[name]+1)
		}
		out[key] = w.value(path, m[k])
	}
	return out
}

var (
	Indexes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\d+\]`) })
	objects = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{4,64}$`) })
	uuids   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`) })
)

// idFields hold object ids, or the id of a session.
var idFields = []string{
	"branch_from", "merge_sources", "component_theses.from", "aliases", "session",
	"code.commit", "code.tree", "code.patch_id", "code_refs.blob",
}

// MapText replaces every text of c by what fn makes of it, keys and values of
// mappings included, and stops at fn's first error. Left alone are ids, times,
// and words of the sets that [validate.Checkpoint] checks; what stands in
// their place but is neither goes through fn as well. After an error c is
// partly changed.
func (c *Checkpoint) MapText(fn func(string) (string, error)) error {
	w := &Walker{Fn: func(path, s string) (string, error) {
		path = Indexes().ReplaceAllString(path, "")
		known := slices.Contains(WordSets()[path], s) || slices.Contains(idFields, path) && (objects().MatchString(s) || uuids().MatchString(s))
		if s == "" || known {
			return s, nil
		}
		return fn(s)
	}}
	w.Checkpoint(c)
	return w.err
}
