package sage

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A reader puts nodes into fields. What is of the wrong type is an error that
// names the field; keys that no field has are kept in extra under their path.
type reader struct {
	input    bool // a person or agent wrote it: be helpful about names that nearly fit
	item     bool // a file of the knowledge tree: versions that a merge left are no error, and one text is a list
	extra    []Entry
	variants []Entry // fields whose versions disagree
	errs     []error
}

func (r *reader) fail(path, format string, args ...any) {
	r.add(fmt.Errorf("%s: %s", Visible(path), fmt.Sprintf(format, args...)))
}

// maxErrors bounds what is said of a text that is wrong all over.
const maxErrors = 20

func (r *reader) add(err error) {
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, err)
	}
}

func (r *reader) err() error { return errors.Join(r.errs...) }

func (r *reader) want(n *node, path, what string) {
	r.add(fmt.Errorf("%s: want %s, have %s", Visible(path), what, n))
}

// mapping reads the keys of n into fields. prefix names n in messages.
func (r *reader) mapping(n *node, prefix string, fields []field) {
	if n.kind != mapNode {
		r.want(n, strings.TrimSuffix(prefix, "."), "a mapping of "+keyList(fields))
		return
	}
	for i, key := range n.keys {
		if p := find(fields, key); p != nil {
			r.read(n.vals[i], prefix+key, p)
		} else {
			r.unknown(n.vals[i], prefix, key, fields)
		}
	}
}

func (r *reader) unknown(n *node, prefix, key string, fields []field) {
	near := ""
	if r.input && len(r.extra) < 5*maxErrors { // a text with so many is about something else
		near = nearest(key, fields)
		if strings.EqualFold(key, "conclusion") && find(fields, "thesis") != nil { // as a brief calls it
			near = "thesis"
		}
	}
	if near != "" {
		r.fail(prefix+key, "unknown key; did you mean '%s'?", near)
		return
	}
	r.extra = append(r.extra, Entry{prefix + key, n.value()})
}

func find(fields []field, key string) any {
	for _, f := range fields {
		if f.key == key {
			return f.ptr
		}
	}
	return nil
}

func keyList(fields []field) string {
	keys := make([]string, 0, len(fields))
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	return strings.Join(keys, ", ")
}

// read puts n where ptr points. Null leaves it as it is.
func (r *reader) read(n *node, path string, ptr any) {
	if n.isNull() {
		return
	}
	if r.item && isVariants(n) {
		r.disagree(n, path, ptr)
		return
	}
	switch p := ptr.(type) {
	case *Scope:
		r.scope(n, path, p)
	case *[]Link:
		r.links(n, path, p)
	case *[]string:
		if n.kind == scalarNode && (r.item || r.input) {
			n = splitNode(n, path)
		}
		*p = readList(r, n, path, "a list of texts", r.text)
	case *map[string]any:
		r.values(n, path, p)
	case *[2]int:
		r.lines(n, path, p)
	case *Action:
		r.mapping(n, path+".", p.fields())
	case *CodeState:
		r.mapping(n, path+".", p.fields())
	case *[]Source:
		*p = readGroups(r, n, path, (*Source).fields, ParseSourceLine)
	case *[]Tension:
		*p = readGroups(r, n, path, (*Tension).fields, sure(ParseTensionLine))
	case *[]Contribution:
		*p = readGroups(r, n, path, (*Contribution).fields, sure(ParseContributionLine))
	case *[]CodeRef:
		*p = readGroups(r, n, path, (*CodeRef).fields, ParseCodeRefLine)
	case *[]ComponentThesis:
		*p = readGroups(r, n, path, (*ComponentThesis).fields, nil)
	default:
		r.scalar(n, path, ptr)
	}
}

func (r *reader) scalar(n *node, path string, ptr any) {
	if n.kind != scalarNode {
		r.want(n, path, wanted(ptr))
		return
	}
	var err error
	switch p := ptr.(type) {
	case *string:
		*p = n.text
	case *int:
		*p, err = strconv.Atoi(n.text)
	case *float64:
		*p, err = readFloat(n.text)
	case **float64:
		var f float64
		if r.input && n.kind == scalarNode {
			if f, err = ParseShare(n.text); err != nil {
				if number, numErr := readFloat(n.text); numErr == nil { // which Validate refuses
					*p = &number
					return
				}
				r.add(fmt.Errorf("%s: %w", Visible(path), err))
				return
			}
			*p = &f
			return
		}
		f, err = readFloat(n.text)
		*p = &f
	case *bool:
		*p, err = strconv.ParseBool(strings.ToLower(n.text))
	case *time.Time:
		*p, err = readTime(n.text)
	}
	if err != nil {
		r.want(n, path, wanted(ptr))
	}
}

func wanted(ptr any) string {
	switch ptr.(type) {
	case *int:
		return "a whole number"
	case *float64:
		return "a number"
	case **float64:
		return "a number from 0 to 1"
	case *bool:
		return "true or false"
	case *time.Time:
		return "a time such as 2026-01-16T12:00:00Z"
	}
	return "text"
}

func readFloat(s string) (float64, error) {
	if f, ok := specialFloats()[s]; ok {
		return f, nil
	}
	return strconv.ParseFloat(s, 64)
}

// timeLayouts are tried in turn; a time without a zone is taken for UTC.
var timeLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
}

func readTime(s string) (time.Time, error) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.UTC().Truncate(time.Second), nil
		}
	}
	return time.Time{}, errors.New("unknown time format")
}

// text reads an item of a list of texts. An unquoted item with a colon is a
// mapping to YAML; whoever wrote "- Option A: cheap" meant text.
func (r *reader) text(n *node, path string) string {
	if n.kind == mapNode && len(n.keys) == 1 && n.vals[0].kind == scalarNode {
		return n.keys[0] + ": " + n.vals[0].text
	}
	var s string
	r.scalar(n, path, &s)
	return s
}

func (r *reader) values(n *node, path string, p *map[string]any) {
	if n.kind != mapNode {
		r.want(n, path, "a mapping")
		return
	}
	*p = nil
	if len(n.keys) > 0 {
		*p = n.value().(map[string]any)
	}
}

// lines reads "10-20", "10", 10 or [10, 20].
func (r *reader) lines(n *node, path string, p *[2]int) {
	text := n.text
	if n.kind == listNode && len(n.vals) == 2 {
		text = n.vals[0].text + "-" + n.vals[1].text
	}
	lines, ok := parseLines(text)
	if !ok || n.kind == mapNode {
		r.want(n, path, "lines such as 10-20")
		return
	}
	*p = lines
}

func readList[T any](r *reader, n *node, path, what string, item func(*node, string) T) []T {
	if n.kind != listNode {
		r.want(n, path, what)
		return nil
	}
	var out []T
	for i, v := range n.vals {
		out = append(out, item(v, fmt.Sprintf("%s[%d]", path, i)))
	}
	return out
}

// readGroups reads a list of mappings. Where a person or agent wrote a text in place of
// one, or of the list, line reads it; nil reads none.
func readGroups[T any](r *reader, n *node, path string, fields func(*T) []field, line func(string) (T, error)) []T {
	what := "a list of mappings of " + keyList(fields(new(T)))
	lines := r.input && line != nil
	switch {
	case lines && n.kind == scalarNode:
		n = splitNode(n, "")
	case lines && n.kind == mapNode:
		n = &node{kind: listNode, vals: []*node{n}}
	}
	return readList(r, n, path, what, func(v *node, path string) T {
		var t T
		if text, ok := v.line(fields(&t)); lines && ok {
			t, err := line(text)
			if err != nil {
				r.fail(path, "%v", err)
			}
			return t
		}
		r.mapping(v, path+".", fields(&t))
		return t
	})
}

func sure[T any](parse func(string) T) func(string) (T, error) {
	return func(s string) (T, error) { return parse(s), nil }
}

// line is the text that somebody wrote where a mapping of fields belongs. To YAML, one
// with a colon in it is a mapping of its own.
func (n *node) line(fields []field) (string, bool) {
	if n.kind == mapNode && len(n.keys) == 1 && n.vals[0].kind == scalarNode && find(fields, n.keys[0]) == nil && nearest(n.keys[0], fields) == "" {
		return n.keys[0] + ": " + n.vals[0].text, true
	}
	return n.text, n.kind == scalarNode && !n.isNull()
}

// splitNode makes a list of a text that stands for one, at path.
func splitNode(n *node, path string) *node {
	list := &node{kind: listNode}
	for _, s := range SplitList(path[strings.LastIndexByte(path, '.')+1:], n.text) {
		list.vals = append(list.vals, &node{text: s})
	}
	return list
}
