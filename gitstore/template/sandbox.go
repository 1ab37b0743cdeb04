package template

import (
	"fmt"
	"reflect"

	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/parser"
	"github.com/nikolalohinski/gonja/v2/tokens"
)

// What the sandbox rests on. gonja cannot be interrupted, so each thing that can
// grow or repeat is bounded where it happens:
//
//   - what can call itself (macros, blocks, recursive loops) or read files
//     (include, import, extends) does not exist, nor what collects output in
//     memory (filter and set blocks);
//   - the parser recurses, so the tokens of one tag and the depth of brackets and
//     blocks are bounded before it runs;
//   - the tree is rewritten (guard.go): each round of a loop counts, each operand
//     and each printed value is weighed;
//   - filters, tests, functions and methods are lists of what is allowed, and
//     filters are called only if the product of text and argument is bearable;
//   - data are copies made of maps and lists: no Go value with methods is
//     reachable, and nothing can be made to hold itself.
const (
	maxTag   = 300   // tokens of one {{ }} or {% %}
	maxDepth = 32    // brackets in one tag; blocks in each other
	maxTags  = 5_000 // tags of a format
	maxItems = 10_000
	maxValue = 1 << 20  // bytes of a value, all its parts together
	maxWork  = 64 << 20 // bytes of a value times the number that multiplies it
)

var (
	allowedTags    = []string{"if", "for", "set", "with", "raw", "break", "continue"}
	allowedFilters = []string{
		"abs", "batch", "capitalize", "center", "default", "d", "dictsort", "e", "escape", "filesizeformat", "first",
		"float", "groupby", "indent", "int", "items", "join", "last", "length", "count", "list", "lower", "map", "max",
		"min", "reject", "rejectattr", "replace", "reverse", "round", "safe", "select", "selectattr", "slice", "sort",
		"string", "striptags", "sum", "title", "tojson", "trim", "truncate", "unique", "upper", "urlencode", "wordcount",
		"wordwrap",
	}
	allowedText = []string{
		"capitalize", "count", "endswith", "find", "isalnum", "isalpha", "isdigit", "islower", "isspace", "istitle",
		"isupper", "lower", "lstrip", "removeprefix", "removesuffix", "rstrip", "split", "splitlines", "startswith",
		"strip", "title", "upper",
	}
	allowedDict = []string{"keys", "values", "items", "get"}
)

// sandbox returns the environment of one rendering.
func sandbox(b *budget) *exec.Environment {
	filters := map[string]exec.FilterFunction{}
	for _, name := range allowedFilters {
		if fn, ok := builtins.Filters.Get(name); ok {
			filters[name] = b.filter(name, fn)
		}
	}
	for name, fn := range b.guards() {
		filters[name] = fn
	}
	tags := map[string]parser.ControlStructureParser{}
	for _, name := range allowedTags {
		if p, ok := builtins.ControlStructures.Get(name); ok {
			tags[name] = p
		}
	}
	return &exec.Environment{
		Context:           exec.NewContext(map[string]any{"range": b.numbers}),
		Filters:           exec.NewFilterSet(filters),
		Tests:             builtins.Tests,
		ControlStructures: exec.NewControlStructureSet(tags),
		Methods: exec.Methods{
			Bool:  exec.NewMethodSet(map[string]exec.Method[bool]{}),
			Int:   exec.NewMethodSet(map[string]exec.Method[int]{}),
			Float: exec.NewMethodSet(map[string]exec.Method[float64]{}),
			Str:   methods(b, builtins.Methods.Str, allowedText),
			Dict:  methods(b, builtins.Methods.Dict, allowedDict),
			List:  exec.NewMethodSet(map[string]exec.Method[[]any]{}),
		},
	}
}

func methods[T any](b *budget, from *exec.MethodSet[T], names []string) *exec.MethodSet[T] {
	out := map[string]exec.Method[T]{}
	for _, name := range names {
		fn, ok := from.Get(name)
		if !ok {
			continue
		}
		out[name] = func(self T, v *exec.Value, args *exec.VarArgs) (any, error) {
			if _, err := b.weigh(v); err != nil {
				return nil, err
			}
			return fn(self, v, args)
		}
	}
	return exec.NewMethodSet(out)
}

// filter returns fn behind a check that its work is bearable.
func (b *budget) filter(name string, fn exec.FilterFunction) exec.FilterFunction {
	return func(e *exec.Evaluator, in *exec.Value, params *exec.VarArgs) *exec.Value {
		isDefault := name == "default" || name == "d"
		if in.IsError() && !isDefault {
			return in
		}
		weight, err := b.weigh(in)
		if err == nil && !isDefault {
			err = b.bearable(name, weight, params)
		}
		if err != nil {
			return exec.AsValue(err)
		}
		return fn(e, in, params)
	}
}

// bearable multiplies the weight of a value with the arguments of a filter:
// indent(1000), join(text), replace(a, text), batch(n, filler).
func (b *budget) bearable(name string, weight int, params *exec.VarArgs) error {
	times := 1
	count := func(v *exec.Value) {
		if v.IsInteger() || v.IsFloat() {
			times = max(times, int(min(max(v.Float(), -v.Float()), maxWork+1)))
			return
		}
		if n, err := b.weigh(v); err == nil {
			times = max(times, n)
		} else {
			times = maxWork + 1
		}
	}
	for _, v := range params.Args {
		count(v)
	}
	for _, v := range params.KwArgs {
		count(v)
	}
	if times > maxWork/max(weight, 1) || name == "int" && weight > 1000 {
		b.fail(fmt.Errorf("%w: filter '%s' of %d bytes, %d times", ErrTooMuch, name, weight, times))
	}
	return b.err
}

func (b *budget) fail(err error) error {
	if b.err == nil {
		b.err = err
	}
	return b.err
}

// numbers is range: a list of at most maxItems, where gonja's is a goroutine.
func (b *budget) numbers(_ *exec.Evaluator, params *exec.VarArgs) (any, error) {
	n := []int{0, 0, 1}
	switch len(params.Args) {
	case 1:
		n[1] = params.Args[0].Integer()
	case 2, 3:
		for i, v := range params.Args {
			n[i] = v.Integer()
		}
	default:
		return nil, exec.ErrInvalidCall(fmt.Errorf("range takes one to three numbers"))
	}
	if n[2] == 0 {
		return nil, exec.ErrInvalidCall(fmt.Errorf("range with a step of 0"))
	}
	out := []any{}
	for i := n[0]; n[2] > 0 && i < n[1] || n[2] < 0 && i > n[1]; i += n[2] {
		if len(out) == maxItems {
			return nil, b.fail(fmt.Errorf("%w: range of more than %d numbers", ErrTooMuch, maxItems))
		}
		out = append(out, i)
	}
	return out, nil
}

// weigh returns the bytes that v has with all its parts, or an error if they are
// too many, or time is up.
func (b *budget) weigh(v *exec.Value) (int, error) {
	if err := b.check(); err != nil {
		return 0, err
	}
	n := weight(reflect.ValueOf(v.Interface()), 0)
	if n > maxValue {
		return n, b.fail(fmt.Errorf("%w: a value of more than %d bytes", ErrTooMuch, maxValue))
	}
	return n, nil
}

// weight returns the size of v; it stops soon after maxValue.
func weight(v reflect.Value, depth int) int {
	if depth > 64 {
		return maxValue + 1
	}
	n := 8
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && n <= maxValue; i++ {
			n += 8 + weight(v.Index(i), depth+1)
		}
	case reflect.Map:
		for it := v.MapRange(); n <= maxValue && it.Next(); {
			n += 8 + weight(it.Key(), depth+1) + weight(it.Value(), depth+1)
		}
	case reflect.Interface, reflect.Pointer:
		if value, ok := v.Interface().(*exec.Value); ok && value != nil {
			return weight(reflect.ValueOf(value.Interface()), depth+1)
		}
		if !v.IsNil() {
			return weight(v.Elem(), depth+1)
		}
	case reflect.Struct:
		if d, ok := v.Interface().(exec.Dict); ok {
			return weight(reflect.ValueOf(d.Pairs), depth+1)
		}
		if p, ok := v.Interface().(exec.Pair); ok {
			return weight(reflect.ValueOf(p.Key), depth+1) + weight(reflect.ValueOf(p.Value), depth+1)
		}
	}
	return n
}

// checkTokens bounds what the parser, which recurses, gets to see.
func checkTokens(format string, cfg *config.Config) error {
	if err := checkNumbers(format); err != nil {
		return err
	}
	in, tags, brackets, blocks := 0, 0, 0, 0
	stream := tokens.LexAll(format, cfg)
	var before *tokens.Token
	for !stream.End() {
		tok := stream.Current()
		switch tok.Type {
		case tokens.VariableBegin, tokens.BlockBegin:
			in, brackets = 0, 0
			tags++
		case tokens.LeftParenthesis, tokens.LeftBracket, tokens.LeftBrace:
			brackets++
		case tokens.RightParenthesis, tokens.RightBracket, tokens.RightBrace:
			brackets--
		case tokens.Name:
			if before != nil && before.Type == tokens.BlockBegin {
				blocks += nesting(tok.Val)
			}
		}
		if in++; in > maxTag && tok.Type != tokens.Data || tags > maxTags || brackets > maxDepth || blocks > maxDepth {
			return fmt.Errorf("%w: line %d: at most %d tags of %d words, nested %d deep, are allowed", ErrTooMuch, tok.Line, maxTags, maxTag, maxDepth)
		}
		before = tok
		stream.Next()
	}
	return nil
}

func nesting(tag string) int {
	switch tag {
	case "if", "for", "with":
		return 1
	case "endif", "endfor", "endwith":
		return -1
	}
	return 0
}
