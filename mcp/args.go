package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// A kind is what an argument may be.
type kind int

const (
	textArg   kind = iota
	shareArg       // a number from 0 to 1
	countArg       // a whole number from 0
	flagArg        // true or false
	listArg        // of texts
	groupsArg      // a list of mappings
	freeArg        // a mapping of anything
	valueArg       // a text, number or truth, or a list of texts: a setting as people write it
)

// A param is one argument of a tool, or one key of a mapping in it.
type param struct {
	name, doc string
	kind      kind
	words     []string // a text must be one of these, if there are any
	spellings int      // so many of the last words are understood and not published
	group     []param  // keys of each mapping of groups
	whole     string   // key that a plain text in place of such a mapping means
	required  bool
	otherwise any  // what it is when it is not given; nil says nothing
	hidden    bool // another name, understood and not published
	bare      bool // published without words, bounds and keys: another argument shows them
}

var wanted = map[kind]string{
	textArg: "text", shareArg: "a number from 0 to 1", countArg: "a whole number from 0", flagArg: "true or false",
	listArg: "a list of texts", groupsArg: "a list of mappings", freeArg: "a mapping", valueArg: "text, a number, true or false, or a list of texts",
}

// checkArgs returns what was given in the shape that params want, with what is
// otherwise for the rest. The error names every field that is wrong.
func checkArgs(params []param, given map[string]any) (map[string]any, error) {
	var errs []error
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(params, func(p param) bool { return p.name == name })
		if i < 0 {
			errs = append(errs, unknown(params, name))
			continue
		}
		if v, err := params[i].read(name, given[name]); err != nil {
			errs = append(errs, err)
		} else if v != nil {
			out[name] = v
		}
	}
	for _, p := range params {
		if _, ok := out[p.name]; ok {
			continue
		}
		if p.otherwise != nil {
			out[p.name] = p.otherwise
		}
		if p.required && given[p.name] == nil {
			errs = append(errs, fmt.Errorf("%s: is required", p.name))
		}
	}
	return out, errors.Join(errs...)
}

func unknown(params []param, name string) error {
	best, least := "", max(2, len(name)/3)
	for _, p := range params {
		if d := sage.Distance(strings.ToLower(strings.ReplaceAll(name, "-", "_")), p.name); d <= least {
			best, least = p.name, d
		}
	}
	if best != "" {
		return fmt.Errorf("%s: unknown argument; did you mean %q?", brief(name), best)
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.name
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: unknown argument; there are none", brief(name))
	}
	return fmt.Errorf("%s: unknown argument; there are: %s", brief(name), strings.Join(names, ", "))
}

// read takes v for p, whose path is what to call it. nil is an argument that
// was not given.
func (p param) read(path string, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	switch p.kind {
	case shareArg, countArg:
		return p.number(path, v)
	case flagArg:
		return p.truth(path, v)
	case listArg, groupsArg:
		return p.items(path, v)
	case freeArg:
		if m, ok := fromJSONText(v).(map[string]any); ok {
			return m, nil
		}
		return nil, p.wrong(path, v)
	case valueArg:
		return p.setting(path, v)
	}
	s, ok := v.(string)
	if n, is := v.(json.Number); is {
		s, ok = n.String(), true
	}
	if !ok || p.words != nil && s != "" && !slices.Contains(p.words, tidy(s)) {
		return nil, p.wrong(path, v)
	}
	if p.words != nil {
		s = tidy(s)
	}
	return s, nil
}

// tidy forgives case, hyphens and blanks in a word.
func tidy(s string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(s)))
}

func (p param) number(path string, v any) (any, error) {
	s, ok := v.(string)
	if n, is := v.(json.Number); is {
		s, ok = n.String(), true
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case !ok || err != nil || f < 0 || f != f:
	case p.kind == shareArg && f <= 1:
		return f, nil
	case p.kind == countArg && f == math.Trunc(f) && f < 1<<53:
		return int(f), nil
	}
	return nil, p.wrong(path, v)
}

func (p param) truth(path string, v any) (any, error) {
	if s, ok := v.(string); ok {
		if b, err := strconv.ParseBool(strings.ToLower(s)); err == nil {
			return b, nil
		}
	}
	if b, ok := v.(bool); ok {
		return b, nil
	}
	return nil, p.wrong(path, v)
}

// setting makes text of a value as it is written in configuration.
func (p param) setting(path string, v any) (any, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		var words []string
		for _, x := range v {
			s, ok := x.(string)
			if !ok {
				return nil, p.wrong(path, v)
			}
			words = append(words, s)
		}
		return strings.Join(words, ","), nil
	}
	return nil, p.wrong(path, v)
}

func (p param) items(path string, v any) (any, error) {
	var errs []error
	out := []any{}
	all, ok := p.split(v)
	if !ok {
		return nil, p.wrong(path, v)
	}
	for i, item := range all {
		one, err := p.item(fmt.Sprintf("%s[%d]", path, i), item)
		if errs = append(errs, err); one != nil {
			out = append(out, one)
		}
	}
	return out, errors.Join(errs...)
}

// split makes a list of the shapes in which agents send one.
func (p param) split(v any) ([]any, bool) {
	v = fromJSONText(v)
	if m, ok := v.(map[string]any); ok && p.kind == groupsArg {
		return []any{m}, true
	}
	s, ok := v.(string)
	if !ok {
		l, ok := v.([]any)
		return l, ok
	}
	if strings.TrimSpace(s) == "" {
		return nil, true
	}
	lines := strings.Split(strings.TrimSpace(s), "\n")
	var out []any
	for _, line := range lines {
		item, bullet := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !bullet {
			return []any{s}, true
		}
		out = append(out, item)
	}
	return out, true
}

// fromJSONText reads JSON that came as text, if it is a list or mapping.
func fromJSONText(v any) any {
	s, ok := v.(string)
	if t := strings.TrimSpace(s); !ok || t == "" || t[0] != '[' && t[0] != '{' {
		return v
	}
	if values, err := decodeAll([]byte(s)); err == nil && len(values) == 1 {
		return values[0]
	}
	return v
}

func (p param) item(path string, v any) (any, error) {
	if p.kind == listArg {
		return param{kind: textArg, name: p.name}.read(path, v)
	}
	if s, ok := v.(string); ok && p.whole != "" {
		v = map[string]any{p.whole: s}
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: must be a mapping of %s, got %s", path, names(p.group), show(v))
	}
	out, err := checkArgs(p.group, m)
	return out, prefixed(path+".", err)
}

func prefixed(prefix string, err error) error {
	many, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var errs []error
	for _, e := range many.Unwrap() {
		errs = append(errs, fmt.Errorf("%s%w", prefix, e))
	}
	return errors.Join(errs...)
}

func names(params []param) string {
	var out []string
	for _, p := range params {
		out = append(out, p.name)
	}
	return strings.Join(out, ", ")
}

func (p param) wrong(path string, v any) error {
	what := wanted[p.kind]
	if p.words != nil {
		what = "one of " + strings.Join(p.words, ", ")
	}
	return fmt.Errorf("%s: must be %s, got %s", path, what, show(v))
}

// show names a value in a message.
func show(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return strconv.Quote(brief(v))
	case nil:
		return "nothing"
	}
	return brief(fmt.Sprint(v))
}
