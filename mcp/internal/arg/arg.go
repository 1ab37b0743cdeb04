// Package arg reads what an agent gives a tool, and publishes what it may give. It forgives forms
// that agents send and that can mean only one thing.
package arg

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
	"github.com/git-sage/git-sage/gitstore/sage/naming"
	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
)

// A Kind is what an argument may be.
type Kind int

const (
	Text   Kind = iota
	Share       // a number from 0 to 1
	Count       // a whole number from 0
	Flag        // true or false
	List        // of texts
	Groups      // a list of mappings
	Free        // a mapping of anything
	Value       // a text, number or truth, or a list of texts: a setting as people write it
	Lines       // 10-20, 10, or [10, 20]
	Any         // a field of a template: whatever it holds
)

// A Param is one argument of a tool, or one key of a mapping in it.
type Param struct {
	Name, Doc string
	Kind      Kind
	Words     []string // a text must be one of these, if there are any
	Spellings int      // so many of the last words are understood and not published
	Group     []Param  // keys of each mapping of groups
	Lines     bool     // a text may stand in place of such a mapping: package sage reads it
	Required  bool
	Otherwise any  // what it is when it is not given; nil says nothing
	Hidden    bool // another name, understood and not published
	Bare      bool // published without words, bounds and keys: another argument shows them
}

var wanted = sync.OnceValue(func() map[Kind]string {
	return map[Kind]string{
		Text: "text", Share: "a number from 0 to 1", Count: "a whole number from 0", Flag: "true or false",
		List: "a list of texts", Lines: "lines such as 10-20", Groups: "a list of mappings", Free: "a mapping", Value: "text, a number, true or false, or a list of texts",
	}
})

// Check returns what was given in the shape that params want, with what is
// otherwise for the rest. The error names every field that is wrong.
func Check(params []Param, given map[string]any) (map[string]any, error) {
	var errs []error
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(params, func(p Param) bool { return p.Name == name })
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
		if _, ok := out[p.Name]; ok {
			continue
		}
		if p.Otherwise != nil {
			out[p.Name] = p.Otherwise
		}
		if p.Required && given[p.Name] == nil {
			errs = append(errs, fmt.Errorf("%s: is required", p.Name))
		}
	}
	return out, errors.Join(errs...)
}

func unknown(params []Param, name string) error {
	best, least := "", max(2, len(name)/3)
	for _, p := range params {
		if d := naming.Distance(strings.ToLower(strings.ReplaceAll(name, "-", "_")), p.Name); d <= least {
			best, least = p.Name, d
		}
	}
	if best != "" {
		return fmt.Errorf("%s: unknown argument; did you mean %q?", texts.Shown(name), best)
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: unknown argument; there are none", texts.Shown(name))
	}
	return fmt.Errorf("%s: unknown argument; there are: %s", texts.Shown(name), strings.Join(names, ", "))
}

// read takes v for p, whose path is what to call it. nil is an argument that was not
// given; models send an empty text, or null as text, for one where it cannot be a value.
func (p Param) read(path string, v any) (any, error) {
	if s, ok := v.(string); ok && (p.Kind != Text && p.Kind != Value || p.Words != nil) && saysNothing(s) {
		v = nil
	}
	if v == nil {
		return nil, nil
	}
	switch p.Kind {
	case Share, Count:
		return p.number(path, v)
	case Flag:
		return p.truth(path, v)
	case List, Groups:
		return p.items(path, v)
	case Free:
		if m, ok := fromJSONText(v).(map[string]any); ok {
			return m, nil
		}
		return nil, p.wrong(path, v)
	case Value:
		return p.setting(path, v)
	case Lines:
		return p.lineRange(path, v)
	case Any:
		return fromJSONText(v), nil
	}
	s, ok := v.(string)
	if n, is := v.(json.Number); is {
		s, ok = n.String(), true
	}
	if !ok || p.Words != nil && !slices.Contains(p.Words, tidy(s)) {
		return nil, p.wrong(path, v)
	}
	if p.Words != nil {
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

func (p Param) number(path string, v any) (any, error) {
	s, ok := v.(string)
	if n, is := v.(json.Number); is {
		s, ok = n.String(), true
	}
	s = strings.TrimSpace(s)
	if p.Kind == Count && thousands().MatchString(s) {
		s = strings.ReplaceAll(s, ",", "")
	}
	digits, percent := strings.CutSuffix(s, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if percent {
		f, ok = f/100, ok && p.Kind == Share
	}
	switch {
	case !ok || err != nil || f < 0 || f != f:
	case p.Kind == Share && f <= 1:
		return f, nil
	case p.Kind == Count && f == math.Trunc(f) && f < 1<<53:
		return int(f), nil
	}
	return nil, p.wrong(path, v)
}

// lineRange makes "10-20" of the shapes in which lines are given.
func (p Param) lineRange(path string, v any) (any, error) {
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

func (p Param) truth(path string, v any) (any, error) {
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
func (p Param) setting(path string, v any) (any, error) {
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

func (p Param) items(path string, v any) (any, error) {
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
func (p Param) split(v any) ([]any, bool) {
	v = fromJSONText(v)
	switch x := v.(type) {
	case []any:
		return x, true
	case map[string]any:
		return []any{x}, p.Kind == Groups
	case json.Number:
		return []any{x}, p.Kind == List
	case string:
		field := p.Name
		if p.Kind == Groups {
			field = "" // of lines, each of which says all of a mapping
		}
		out := []any{}
		for _, entry := range shorthand.SplitList(field, x) {
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
	if values, err := protocol.DecodeAll([]byte(s)); err == nil && len(values) == 1 {
		return values[0]
	}
	return v
}

func (p Param) item(path string, v any) (any, error) {
	if p.Kind == List {
		if s, ok := v.(string); ok && strings.TrimSpace(s) == "" {
			return nil, nil
		}
		return Param{Kind: Text, Name: p.Name}.read(path, v)
	}
	v = fromJSONText(v)
	if s, ok := v.(string); ok && p.Lines {
		if saysNothing(s) {
			return nil, nil
		}
		return s, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: must be a mapping of %s, got %s", path, Names(p.Group), show(v))
	}
	out, err := Check(p.Group, m)
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

// Names lists the names of params for a message.
func Names(params []Param) string {
	var out []string
	for _, p := range params {
		out = append(out, p.Name)
	}
	return strings.Join(out, ", ")
}

func (p Param) wrong(path string, v any) error {
	what := wanted()[p.Kind]
	if p.Words != nil {
		what = "one of " + strings.Join(p.Words, ", ")
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
		return strconv.Quote(texts.Shown(v))
	case nil:
		return "nothing"
	}
	return texts.Shown(fmt.Sprint(v))
}
