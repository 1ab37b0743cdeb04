package template

import (
	"encoding/json"
	"errors"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A filter makes a value of another. Its arguments come in the order of params, nil where
// none is given. What it makes is counted before.
type filter struct {
	params string
	apply  func(r *run, v any, args []any) any
}

// ofText is a filter of a value's text, which it does not make much longer.
func ofText(fn func(s string) any) filter {
	return filter{"", func(r *run, v any, _ []any) any {
		s := r.text(v)
		if !r.spend(2 * len(s)) {
			return nil
		}
		return fn(s)
	}}
}

// ofList is a filter of a list, which it may change; a dict counts for its keys, text for
// its characters.
func ofList(params string, fn func(r *run, list, args []any) any) filter {
	return filter{params, func(r *run, v any, args []any) any {
		list := r.items(v, false)
		if !r.spend(8 * len(list)) {
			return nil
		}
		return fn(r, slices.Clone(list), args)
	}}
}

var filters = sync.OnceValue(func() (all map[string]filter) {
	same := func(_ *run, v any, _ []any) any { return v }
	items := func(r *run, v any, _ []any) any { return r.items(v, true) }
	length := ofList("", func(_ *run, list, _ []any) any { return len(list) })
	escape := ofText(func(s string) any { return html.EscapeString(s) })
	all = map[string]filter{
		"count":      length,
		"d":          {"default_value boolean", fallback},
		"default":    {"default_value boolean", fallback},
		"dictsort":   {"", items},
		"e":          escape,
		"escape":     escape,
		"first":      ofList("", func(r *run, list, _ []any) any { return r.part(list, 0) }),
		"indent":     {"width first", indent},
		"int":        {"default", toInt},
		"items":      {"", items},
		"join":       ofList("d attribute", join),
		"last":       ofList("", func(r *run, list, _ []any) any { return r.part(list, -1) }),
		"length":     length,
		"list":       ofList("", func(_ *run, list, _ []any) any { return list }),
		"lower":      ofText(func(s string) any { return strings.ToLower(s) }),
		"rejectattr": ofList("attribute test arg", func(r *run, list, args []any) any { return r.choose(list, args, false) }),
		"replace":    {"old new", replace},
		"reverse":    ofList("", func(_ *run, list, _ []any) any { slices.Reverse(list); return list }),
		"round":      {"precision", round},
		"safe":       {"", same},
		"selectattr": ofList("attribute test arg", func(r *run, list, args []any) any { return r.choose(list, args, true) }),
		"sort":       ofList("reverse attribute", sorted),
		"startswith": {"prefix", func(r *run, v any, args []any) any { return strings.HasPrefix(r.text(v), r.text(args[0])) }},
		"string":     ofText(func(s string) any { return s }),
		"tojson":     {"", toJSON},
		"trim":       ofText(func(s string) any { return strings.TrimSpace(s) }),
		"upper":      ofText(func(s string) any { return strings.ToUpper(s) }),
	}
	all["map"] = ofList("filter attribute", func(r *run, list, args []any) any {
		f, ok := all[r.text(args[0])]
		if args[1] == nil && (!ok || f.params != "") {
			return r.fail("map takes attribute='name', or the name of a filter without arguments")
		}
		for i, v := range list {
			if list[i] = r.attribute(v, args[1]); args[1] == nil {
				list[i] = f.apply(r, v, nil)
			}
		}
		return list
	})
	return all
})

// tests are what may stand behind is.
var tests = sync.OnceValue(func() map[string]func(r *run, v, arg any) bool {
	return map[string]func(r *run, v, arg any) bool{
		"boolean": is[bool],
		"defined": func(_ *run, v, _ any) bool { return v != nil },
		"eq":      (*run).equal,
		"equalto": (*run).equal,
		"in":      func(r *run, v, arg any) bool { return r.contains(arg, v) },
		"iterable": func(r *run, v, _ any) bool {
			return is[string](r, v, nil) || is[[]any](r, v, nil) || is[map[string]any](r, v, nil)
		},
		"mapping":   is[map[string]any],
		"ne":        func(r *run, v, arg any) bool { return !r.equal(v, arg) },
		"none":      func(_ *run, v, _ any) bool { return v == nil },
		"number":    func(_ *run, v, _ any) bool { _, ok := number(v); return ok },
		"sequence":  is[[]any],
		"string":    is[string],
		"undefined": func(_ *run, v, _ any) bool { return v == nil },
	}
})

func is[T any](_ *run, v, _ any) bool {
	_, ok := v.(T)
	return ok
}

func fallback(_ *run, v any, args []any) any {
	if v == nil || truth(args[1]) && !truth(v) {
		return args[0]
	}
	return v
}

// choose keeps the items of a list whose attribute passes a test, or counts as true if none
// is named; or the others.
func (r *run) choose(list, args []any, want bool) any {
	passes := tests()[r.text(args[1])]
	if args[1] != nil && passes == nil {
		return r.fail("test '%s' is not supported: there are %s", r.text(args[1]), known(tests()))
	}
	return slices.DeleteFunc(list, func(v any) bool {
		if v = r.part(v, args[0]); passes == nil {
			return truth(v) != want
		}
		return passes(r, v, args[2]) != want
	})
}

// attribute is a part of a value, or the value where none is named.
func (r *run) attribute(v, name any) any {
	if name == nil {
		return v
	}
	return r.part(v, name)
}

func sorted(r *run, list, args []any) any {
	slices.SortStableFunc(list, func(a, b any) int { return r.compare(r.attribute(a, args[1]), r.attribute(b, args[1])) })
	if truth(args[0]) {
		slices.Reverse(list)
	}
	return list
}

func indent(r *run, v any, args []any) any {
	width, isInt := args[0].(int)
	if !isInt {
		width = 4
	}
	if width < 0 || !r.spend(width) {
		return v
	}
	blanks := strings.Repeat(" ", width)
	text := replace(r, v, []any{"\n", "\n" + blanks})
	if truth(args[1]) {
		return r.operate("~", blanks, text)
	}
	return text
}

func join(r *run, list, args []any) any {
	sep := r.text(args[0])
	var b strings.Builder
	for i, v := range list {
		s := r.text(r.attribute(v, args[1]))
		if !r.spend(len(sep) + len(s)) {
			return nil
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(s)
	}
	return b.String()
}

func replace(r *run, v any, args []any) any {
	s, old, to := r.text(v), r.text(args[0]), r.text(args[1])
	if !r.spend(2*len(s) + strings.Count(s, old)*len(to)) {
		return nil
	}
	return strings.ReplaceAll(s, old, to)
}

func round(r *run, v any, args []any) any {
	f, ok := number(v)
	if !ok {
		return r.fail("'round' takes a number")
	}
	precision, _ := number(args[0])
	ten := math.Pow(10, precision)
	return math.Round(f*ten) / ten
}

func toInt(r *run, v any, args []any) any {
	f, ok := number(v)
	if s, isText := v.(string); isText {
		n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		f, ok = n, err == nil || errors.Is(err, strconv.ErrRange)
	}
	switch {
	case !ok && args[0] != nil:
		return args[0]
	case !(math.Abs(f) < 1<<62):
		return r.fail("'int' of a number that is too large")
	}
	return int(f)
}

func toJSON(r *run, v any, _ []any) any {
	if r.text(v); r.err != nil { // which counts what it costs
		return nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return r.fail("tojson: %v", err)
	}
	return string(b)
}
