package template

import (
	"errors"
	"fmt"
	"reflect"

	controlStructures "github.com/nikolalohinski/gonja/v2/builtins/control_structures"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/nodes"
	"github.com/nikolalohinski/gonja/v2/tokens"
)

// Guards are filters that the tree is rewritten with. Their names cannot be
// written in a format.
const (
	guardPrint  = "\x00print"  // what is printed
	guardValue  = "\x00value"  // operands: a value that is not too large
	guardNumber = "\x00number" // the left side of *, which repeats text
	guardPart   = "\x00part"   // parts of lists and dicts: no lists or dicts
	guardLoop   = "\x00loop"   // what a loop runs over
)

func (b *budget) guards() map[string]exec.FilterFunction {
	return map[string]exec.FilterFunction{
		guardValue: b.guard(func(*exec.Value, int) error { return nil }),
		guardPrint: b.guard(b.print),
		guardNumber: b.guard(func(v *exec.Value, _ int) error {
			if !v.IsNil() && !v.IsNumber() {
				return errors.New("* multiplies numbers only")
			}
			return nil
		}),
		guardPart: b.guard(func(v *exec.Value, _ int) error {
			if v.IsList() || v.IsDict() {
				return errors.New("a list in a list is not supported")
			}
			return nil
		}),
		guardLoop: b.guard(func(v *exec.Value, _ int) error {
			if (v.IsIterable()) && v.Len() > maxItems {
				return b.fail(fmt.Errorf("%w: a loop over more than %d items", ErrTooMuch, maxItems))
			}
			return nil
		}),
	}
}

// guard returns a filter that lets a value pass if it is not too large and
// check has nothing against it.
func (b *budget) guard(check func(v *exec.Value, weight int) error) exec.FilterFunction {
	return func(_ *exec.Evaluator, in *exec.Value, _ *exec.VarArgs) *exec.Value {
		if in.IsError() {
			return in
		}
		weight, err := b.weigh(in)
		if err == nil {
			err = check(in, weight)
		}
		if err != nil {
			return exec.AsValue(b.fail(err)) // an error in a list would be printed
		}
		return in
	}
}

// print allows plain values only: the text of others may hold anything.
func (b *budget) print(v *exec.Value, weight int) error {
	if !v.IsNil() && !v.IsString() && !v.IsNumber() && !v.IsBool() && !v.IsList() && !v.IsDict() {
		return errors.New("this value cannot be printed")
	}
	if b.output+weight > maxOutput+64 {
		return b.fail(ErrTooLong)
	}
	return nil
}

// guardTree rewrites the tree under root so that it keeps to the budget.
func guardTree(root *nodes.Template, b *budget) error {
	g := &guarder{b: b, seen: map[any]bool{}}
	g.walk(reflect.ValueOf(root))
	return g.err
}

// A guarder walks a tree by reflection, because control structures keep their
// expressions to themselves.
type guarder struct {
	b    *budget
	seen map[any]bool
	err  error
}

func (g *guarder) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			g.walk(v.Elem())
		}
	case reflect.Pointer:
		g.pointer(v)
	case reflect.Struct:
		for i := range v.NumField() {
			g.walk(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			g.walk(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			g.walk(it.Value())
		}
	}
}

func (g *guarder) pointer(v reflect.Value) {
	at := v.UnsafePointer()
	if v.IsNil() || g.seen[at] || v.Type() == reflect.TypeFor[*tokens.Token]() {
		return
	}
	g.seen[at] = true
	g.walk(v.Elem())
	switch v.Type() {
	case reflect.TypeFor[*nodes.Output]():
		g.output((*nodes.Output)(at))
	case reflect.TypeFor[*nodes.BinaryExpression]():
		g.binary((*nodes.BinaryExpression)(at))
	case reflect.TypeFor[*nodes.List]():
		wrapAll((*nodes.List)(at).Val, guardPart)
	case reflect.TypeFor[*nodes.Tuple]():
		wrapAll((*nodes.Tuple)(at).Val, guardPart)
	case reflect.TypeFor[*nodes.Pair]():
		p := (*nodes.Pair)(at)
		p.Key, p.Value = wrap(p.Key, guardPart), wrap(p.Value, guardPart)
	case reflect.TypeFor[*controlStructures.ForControlStructure]():
		g.loop((*controlStructures.ForControlStructure)(at))
	case reflect.TypeFor[*controlStructures.SetControlStructure]():
		g.set(v.Elem())
	}
}

func (g *guarder) output(n *nodes.Output) {
	n.Expression = wrap(n.Expression, guardPrint)
	if n.Alternative != nil {
		n.Alternative = wrap(n.Alternative, guardPrint)
	}
}

func (g *guarder) binary(n *nodes.BinaryExpression) {
	left := guardValue
	if t := n.Operator.Token.Type; t == tokens.Multiply || t == tokens.Power {
		left = guardNumber
	}
	n.Left, n.Right = wrap(n.Left, left), wrap(n.Right, guardValue)
}

func (g *guarder) loop(n *controlStructures.ForControlStructure) {
	if n.Recursive {
		g.refuse("recursive loops are not supported")
	}
	n.ObjectEvaluator = wrap(n.ObjectEvaluator, guardLoop)
	tick := &nodes.ControlStructureBlock{Location: n.Position(), Name: "tick", ControlStructure: &tick{g.b, n.Position()}}
	n.BodyWrapper.Nodes = append([]nodes.Node{tick}, n.BodyWrapper.Nodes...)
}

// set refuses the forms that collect output or change a value from within. Its
// fields are private to gonja; if they are renamed, everything is refused.
func (g *guarder) set(v reflect.Value) {
	body, target := v.FieldByName("body"), v.FieldByName("target")
	if !body.IsValid() || !body.IsNil() {
		g.refuse("a set block is not supported")
	}
	if !target.IsValid() || target.IsNil() || target.Elem().Type() != reflect.TypeFor[*nodes.Name]() {
		g.refuse("set takes a name")
	}
}

func (g *guarder) refuse(why string) {
	if g.err == nil {
		g.err = errors.New(why)
	}
}

func wrapAll(list []nodes.Expression, guard string) {
	for i := range list {
		list[i] = wrap(list[i], guard)
	}
}

func wrap(x nodes.Expression, guard string) nodes.Expression {
	return &nodes.FilteredExpression{Expression: x, Filters: []*nodes.FilterCall{{Token: x.Position(), Name: guard}}}
}

// A tick stands at the head of a loop's body and counts its rounds.
type tick struct {
	b   *budget
	pos *tokens.Token
}

// Position returns that of the loop.
func (t *tick) Position() *tokens.Token { return t.pos }

// String names the node.
func (t *tick) String() string { return "tick" }

// Execute counts.
func (t *tick) Execute(*exec.Renderer, *nodes.ControlStructureBlock) error { return t.b.step() }
