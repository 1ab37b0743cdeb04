package codec

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// A Reader puts nodes into fields. What is of the wrong type is an error that
// names the field; keys that no field has are kept in extra under their path.
type Reader struct {
	Input    bool // a person or agent wrote it: be helpful about names that nearly fit
	item     bool // a file of the knowledge tree: versions that a merge left are no error, and one text is a list
	extra    []sage.Entry
	variants []sage.Entry // fields whose versions disagree
	errs     []error
}

func (r *Reader) Fail(path, format string, args ...any) {
	r.add(fmt.Errorf("%s: %s", legible.Visible(path), fmt.Sprintf(format, args...)))
}

// MaxErrors bounds what is said of a text that is wrong all over.
const MaxErrors = 20

func (r *Reader) add(err error) {
	if len(r.errs) < MaxErrors {
		r.errs = append(r.errs, err)
	}
}

func (r *Reader) Err() error { return errors.Join(r.errs...) }

func (r *Reader) want(n *tree.Node, path, what string) {
	r.add(fmt.Errorf("%s: want %s, have %s", legible.Visible(path), what, n))
}

// mapping reads the keys of n into fields. prefix names n in messages.
func (r *Reader) mapping(n *tree.Node, prefix string, fields []sage.Field) {
	if n.Kind != tree.MapNode {
		r.want(n, strings.TrimSuffix(prefix, "."), "a mapping of "+keyList(fields))
		return
	}
	for i, key := range n.Keys {
		if p := Find(fields, key); p != nil {
			r.read(n.Vals[i], prefix+key, p)
		} else {
			r.unknown(n.Vals[i], prefix, key, fields)
		}
	}
}

func (r *Reader) unknown(n *tree.Node, prefix, key string, fields []sage.Field) {
	near := ""
	if r.Input && len(r.extra) < 5*MaxErrors { // a text with so many is about something else
		near = nearest(key, fields)
		if strings.EqualFold(key, "conclusion") && Find(fields, "thesis") != nil { // as a brief calls it
			near = "thesis"
		}
	}
	if near != "" {
		r.Fail(prefix+key, "unknown key; did you mean '%s'?", near)
		return
	}
	r.extra = append(r.extra, sage.Entry{Key: prefix + key, Value: n.Value()})
}

func Find(fields []sage.Field, key string) any {
	for _, f := range fields {
		if f.Key == key {
			return f.Ptr
		}
	}
	return nil
}

func keyList(fields []sage.Field) string {
	keys := make([]string, 0, len(fields))
	for _, f := range fields {
		keys = append(keys, f.Key)
	}
	return strings.Join(keys, ", ")
}

// read puts n where ptr points. Null leaves it as it is.
func (r *Reader) read(n *tree.Node, path string, ptr any) {
	if n.IsNull() {
		return
	}
	if r.item && isVariants(n) {
		r.disagree(n, path, ptr)
		return
	}
	switch p := ptr.(type) {
	case *sage.Scope:
		r.scope(n, path, p)
	case *[]sage.Link:
		r.links(n, path, p)
	case *[]string:
		if n.Kind == tree.ScalarNode && (r.item || r.Input) {
			n = splitNode(n, path)
		}
		*p = readList(r, n, path, "a list of texts", r.text)
	case *map[string]any:
		r.values(n, path, p)
	case *[2]int:
		r.lines(n, path, p)
	case *sage.Action:
		r.mapping(n, path+".", p.Fields())
	case *sage.CodeState:
		r.mapping(n, path+".", p.Fields())
	case *[]sage.Source:
		*p = readGroups(r, n, path, (*sage.Source).Fields, shorthand.ParseSource)
	case *[]sage.Tension:
		*p = readGroups(r, n, path, (*sage.Tension).Fields, sure(shorthand.ParseTension))
	case *[]sage.Contribution:
		*p = readGroups(r, n, path, (*sage.Contribution).Fields, sure(shorthand.ParseContribution))
	case *[]sage.CodeRef:
		*p = readGroups(r, n, path, (*sage.CodeRef).Fields, shorthand.ParseCodeRef)
	case *[]sage.ComponentThesis:
		*p = readGroups(r, n, path, (*sage.ComponentThesis).Fields, nil)
	default:
		r.scalar(n, path, ptr)
	}
}

func (r *Reader) scalar(n *tree.Node, path string, ptr any) {
	if n.Kind != tree.ScalarNode {
		r.want(n, path, wanted(ptr))
		return
	}
	var err error
	switch p := ptr.(type) {
	case *string:
		*p = n.Text
	case *int:
		*p, err = strconv.Atoi(n.Text)
	case *float64:
		*p, err = readFloat(n.Text)
	case **float64:
		var f float64
		if r.Input && n.Kind == tree.ScalarNode {
			if f, err = shorthand.ParseShare(n.Text); err != nil {
				if number, numErr := readFloat(n.Text); numErr == nil { // which Validate refuses
					*p = &number
					return
				}
				r.add(fmt.Errorf("%s: %w", legible.Visible(path), err))
				return
			}
			*p = &f
			return
		}
		f, err = readFloat(n.Text)
		*p = &f
	case *bool:
		*p, err = strconv.ParseBool(strings.ToLower(n.Text))
	case *time.Time:
		*p, err = readTime(n.Text)
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
	if f, ok := tree.SpecialFloats()[s]; ok {
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
func (r *Reader) text(n *tree.Node, path string) string {
	if n.Kind == tree.MapNode && len(n.Keys) == 1 && n.Vals[0].Kind == tree.ScalarNode {
		return n.Keys[0] + ": " + n.Vals[0].Text
	}
	var s string
	r.scalar(n, path, &s)
	return s
}

func (r *Reader) values(n *tree.Node, path string, p *map[string]any) {
	if n.Kind != tree.MapNode {
		r.want(n, path, "a mapping")
		return
	}
	*p = nil
	if len(n.Keys) > 0 {
		*p = n.Value().(map[string]any)
	}
}

// lines reads "10-20", "10", 10 or [10, 20].
func (r *Reader) lines(n *tree.Node, path string, p *[2]int) {
	text := n.Text
	if n.Kind == tree.ListNode && len(n.Vals) == 2 {
		text = n.Vals[0].Text + "-" + n.Vals[1].Text
	}
	lines, ok := parseLines(text)
	if !ok || n.Kind == tree.MapNode {
		r.want(n, path, "lines such as 10-20")
		return
	}
	*p = lines
}

func readList[T any](r *Reader, n *tree.Node, path, what string, item func(*tree.Node, string) T) []T {
	if n.Kind != tree.ListNode {
		r.want(n, path, what)
		return nil
	}
	var out []T
	for i, v := range n.Vals {
		out = append(out, item(v, fmt.Sprintf("%s[%d]", path, i)))
	}
	return out
}

// readGroups reads a list of mappings. Where a person or agent wrote a text in place of
// one, or of the list, line reads it; nil reads none.
func readGroups[T any](r *Reader, n *tree.Node, path string, fields func(*T) []sage.Field, line func(string) (T, error)) []T {
	what := "a list of mappings of " + keyList(fields(new(T)))
	lines := r.Input && line != nil
	switch {
	case lines && n.Kind == tree.ScalarNode:
		n = splitNode(n, "")
	case lines && n.Kind == tree.MapNode:
		n = &tree.Node{Kind: tree.ListNode, Vals: []*tree.Node{n}}
	}
	return readList(r, n, path, what, func(v *tree.Node, path string) T {
		var t T
		if text, ok := lineOf(v, fields(&t)); lines && ok {
			t, err := line(text)
			if err != nil {
				r.Fail(path, "%v", err)
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

// lineOf is the text that somebody wrote where a mapping of fields belongs. To YAML, one
// with a colon in it is a mapping of its own.
func lineOf(n *tree.Node, fields []sage.Field) (string, bool) {
	if n.Kind == tree.MapNode && len(n.Keys) == 1 && n.Vals[0].Kind == tree.ScalarNode && Find(fields, n.Keys[0]) == nil && nearest(n.Keys[0], fields) == "" {
		return n.Keys[0] + ": " + n.Vals[0].Text, true
	}
	return n.Text, n.Kind == tree.ScalarNode && !n.IsNull()
}

// splitNode makes a list of a text that stands for one, at path.
func splitNode(n *tree.Node, path string) *tree.Node {
	list := &tree.Node{Kind: tree.ListNode}
	for _, s := range shorthand.SplitList(path[strings.LastIndexByte(path, '.')+1:], n.Text) {
		list.Vals = append(list.Vals, &tree.Node{Text: s})
	}
	return list
}

// nearest returns the key of fields that whoever wrote key may have meant, or
// "": one that differs in a letter or two, or in its ending.
func nearest(key string, fields []sage.Field) string {
	best, least := "", 3
	word := strings.ToLower(strings.ReplaceAll(key, "-", "_"))
	for _, f := range fields {
		d := naming.Distance(word, f.Key)
		if len(f.Key) < 5 {
			d++ // short words are near everything
		}
		if d < least {
			best, least = f.Key, d
		}
	}
	return best
}
