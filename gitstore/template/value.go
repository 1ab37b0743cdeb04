package template

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// What a format calculates with are nil, which stands for what is not there, too, bool,
// int, float64, string, []any, map[string]any and state.

// truth is what a value counts for in a condition.
func truth(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return v != nil && v != false && v != "" && v != 0 && v != 0.0
}

func number(v any) (f float64, ok bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func (r *run) operate(op string, a, b any) any {
	switch op {
	case "or", "and":
		if truth(a) == (op == "or") {
			return a
		}
		return b
	case "in", "not in":
		return r.contains(b, a) == (op == "in")
	case "==", "!=":
		return r.equal(a, b) == (op == "==")
	case "<", "<=", ">", ">=":
		c := r.compare(a, b)
		return c < 0 && op[0] == '<' || c > 0 && op[0] == '>' || c == 0 && len(op) == 2
	}
	list, isList := a.([]any)
	more, isList2 := b.([]any)
	x, isNumber := number(a)
	y, isNumber2 := number(b)
	switch {
	case op == "+" && isList && isList2:
		if !r.spend(8 * (len(list) + len(more))) {
			return nil
		}
		return slices.Concat(list, more)
	case op == "~" || op == "+" && !(isNumber && isNumber2):
		return join(r, []any{a, b}, []any{nil, nil})
	case !isNumber || !isNumber2:
		return r.fail("'%s' takes numbers", op)
	case op == "/" && y == 0:
		return r.fail("a division by zero")
	case op == "/":
		return x / y
	}
	z := map[string]float64{"+": x + y, "-": x - y, "*": x * y}[op]
	if _, isInt := a.(int); isInt && math.Abs(z) < 1<<53 {
		if _, isInt := b.(int); isInt {
			return int(z)
		}
	}
	return z
}

func (r *run) equal(a, b any) bool {
	x, ok := number(a)
	y, ok2 := number(b)
	return ok && ok2 && x == y || r.inList(a) == r.inList(b)
}

// compare orders numbers by size, and all else by its text.
func (r *run) compare(a, b any) int {
	x, ok := number(a)
	y, ok2 := number(b)
	if ok && ok2 {
		return cmp.Compare(x, y)
	}
	s, t := r.text(a), r.text(b)
	r.spend(len(s) + len(t))
	return strings.Compare(s, t)
}

func (r *run) contains(in, v any) bool {
	if s, ok := in.(string); ok {
		return r.spend(len(s)) && strings.Contains(s, r.text(v))
	}
	return slices.ContainsFunc(r.items(in, false), func(x any) bool { return r.equal(x, v) })
}

// part is a value of a dict, an item of a list, counted from its end if the key is
// negative, or a character of text; nil if it is not there.
func (r *run) part(of, key any) any {
	switch of := of.(type) {
	case state:
		return of.part(r.text(key))
	case map[string]any:
		return of[r.text(key)]
	}
	i, err := strconv.Atoi(r.text(key))
	list := r.items(of, false)
	if i < 0 {
		i += len(list)
	}
	if err != nil || i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// items are what a loop runs over: of a dict its keys or pairs, in their order; of text
// its characters; nothing of what cannot be run over.
func (r *run) items(v any, pairs bool) (list []any) {
	switch v := v.(type) {
	case []any:
		return v
	case string:
		if r.spend(8 * len(v)) {
			for _, c := range v {
				list = append(list, string(c))
			}
		}
	case map[string]any:
		r.spend(8 * len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if pairs {
				list = append(list, []any{k, v[k]})
			} else {
				list = append(list, k)
			}
		}
	}
	return list
}

// text is a value as it is printed.
func (r *run) text(v any) string {
	if s, ok := v.(string); ok || v == nil {
		return s
	}
	return r.inList(v)
}

// inList is the text of a value as it stands in a list; equal ones have the same.
func (r *run) inList(v any) string {
	if !r.spend(8) {
		return ""
	}
	var parts []any
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case int:
		return strconv.Itoa(v)
	case float64:
		if m := math.Abs(v); m < 1e-4 && m > 0 || m >= 1e16 {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
		s := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	case string:
		r.spend(len(v))
		return "'" + v + "'"
	case []any:
		for _, x := range v {
			parts = append(parts, r.inList(x))
		}
		return "[" + r.text(join(r, parts, []any{", ", nil})) + "]"
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, r.inList(k)+": "+r.inList(v[k]))
		}
		return "{" + r.text(join(r, parts, []any{", ", nil})) + "}"
	}
	return r.text(r.fail("the loop itself has no text"))
}
