package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	linesArg       // 10-20, 10, or [10, 20]
	anyArg         // a field of a template: whatever it holds
)

// A param is one argument of a tool, or one key of a mapping in it.
type param struct {
	name, doc string
	kind      kind
	words     []string // a text must be one of these, if there are any
	spellings int      // so many of the last words are understood and not published
	group     []param  // keys of each mapping of groups
	lines     bool     // a text may stand in place of such a mapping: package sage reads it
	required  bool
	otherwise any  // what it is when it is not given; nil says nothing
	hidden    bool // another name, understood and not published
	bare      bool // published without words, bounds and keys: another argument shows them
}

var wanted = sync.OnceValue(func() map[kind]string {
	return map[kind]string{
		textArg: "text", shareArg: "a number from 0 to 1", countArg: "a whole number from 0", flagArg: "true or false",
		listArg: "a list of texts", linesArg: "lines such as 10-20", groupsArg: "a list of mappings", freeArg: "a mapping", valueArg: "text, a number, true or false, or a list of texts",
	}
})

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
		return fmt.Errorf("%s: unknown argument; did you mean %q?", shown(name), best)
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.name
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: unknown argument; there are none", shown(name))
	}
	return fmt.Errorf("%s: unknown argument; there are: %s", shown(name), strings.Join(names, ", "))
}

// read takes v for p, whose path is what to call it. nil is an argument that was not
// given; models send an empty text, or null as text, for one where it cannot be a value.
func (p param) read(path string, v any) (any, error) {
	if s, ok := v.(string); ok && (p.kind != textArg && p.kind != valueArg || p.words != nil) && saysNothing(s) {
		v = nil
	}
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
	case linesArg:
		return p.lineRange(path, v)
	case anyArg:
		return fromJSONText(v), nil
	}
	s, ok := v.(string)
	if n, is := v.(json.Number); is {
		s, ok = n.String(), true
	}
	if !ok || p.words != nil && !slices.Contains(p.words, tidy(s)) {
		return nil, p.wrong(path, v)
	}
	if p.words != nil {
		s = tidy(s)
	}
	return s, nil
}

func saysNothing(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || s == "null"
}

// tidy forgives case, hyphens and blanks in a word.
func tidy(s string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(s)))
}

var thousands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,3}(,[0-9]{3})+$`) })

func (p param) number(path string, v any) (any, error) {
	s, ok := v.(string)
	if n, is := v.(json.Number); is {
		s, ok = n.String(), true
	}
	s = strings.TrimSpace(s)
	if p.kind == countArg && thousands().MatchString(s) {
		s = strings.ReplaceAll(s, ",", "")
	}
	digits, percent := strings.CutSuffix(s, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if percent {
		f, ok = f/100, ok && p.kind == shareArg
	}
	switch {
	case !ok || err != nil || f < 0 || f != f:
	case p.kind == shareArg && f <= 1:
		return f, nil
	case p.kind == countArg && f == math.Trunc(f) && f < 1<<53:
		return int(f), nil
	}
	return nil, p.wrong(path, v)
}

// lineRange makes "10-20" of the shapes in which lines are given.
func (p param) lineRange(path string, v any) (any, error) {
	switch x := fromJSONText(v).(type) {
	case string:
		return strings.TrimSpace(x), nil
	case json.Number:
		return x.String(), nil
	case []any:
		var ends []string
		for _, n := range x {
			if s := strings.TrimSpace(fmt.Sprint(n)); s != "" {
				ends = append(ends, s)
			}
		}
		if len(ends) == 1 || len(ends) == 2 {
			return strings.Join(ends, "-"), nil
		}
	}
	return nil, p.wrong(path, v)
}

func (p param) truth(path string, v any) (any, error) {
	if b, ok := v.(bool); ok {
		return b, nil
	}
	switch strings.ToLower(strings.TrimSpace(fmt.Sprint(v))) {
	case "true", "t", "yes", "y", "on", "1":
		return true, nil
	case "false", "f", "no", "n", "off", "0":
		return false, nil
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
	if s, is := v.(string); is && strings.TrimSpace(s) == "" { // and no list without items, which says that there are none
		return nil, nil
	}
	if s, is := v.(string); is && sage.IsNone(s) {
		return []any{}, nil
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
	switch x := v.(type) {
	case []any:
		return x, true
	case map[string]any:
		return []any{x}, p.kind == groupsArg
	case json.Number:
		return []any{x}, p.kind == listArg
	case string:
		field := p.name
		if p.kind == groupsArg {
			field = "" // of lines, each of which says all of a mapping
		}
		out := []any{}
		for _, entry := range sage.SplitList(field, x) {
			out = append(out, entry)
		}
		return out, true
	}
	return nil, false
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
		if s, ok := v.(string); ok && strings.TrimSpace(s) == "" {
			return nil, nil
		}
		return param{kind: textArg, name: p.name}.read(path, v)
	}
	v = fromJSONText(v)
	if s, ok := v.(string); ok && p.lines {
		if saysNothing(s) {
			return nil, nil
		}
		return s, nil
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
	what := wanted()[p.kind]
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
		return strconv.Quote(shown(v))
	case nil:
		return "nothing"
	}
	return shown(fmt.Sprint(v))
}
