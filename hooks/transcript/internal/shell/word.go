package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Word is a word of a shell line with its quotes taken off. Its text is what the shell
// makes of it only if it is plain: no variable, no pattern, no command in it.
type Word struct {
	Text  string
	Plain bool
}

// call takes the words of a simple command, and of what the shell does by itself. It reports
// false for what consists of other commands.
func (c *Command) call(x syntax.Command) bool {
	switch x := x.(type) {
	case nil:
	case *syntax.CallExpr:
		c.assign(x.Assigns)
		for _, a := range x.Args {
			c.Words = append(c.Words, wordOf(a))
		}
	case *syntax.DeclClause:
		c.Words = append(c.Words, Word{x.Variant.Value, true})
		c.assign(x.Args)
	case *syntax.LetClause:
		c.Words = append(c.Words, Word{"let", true})
	case *syntax.TestClause:
		c.Words = append(c.Words, Word{"[[", true})
	case *syntax.ArithmCmd:
		c.Words = append(c.Words, Word{"((", true})
	default:
		return false
	}
	return true
}

// assign takes KEY=value for a word, and also what is declared without a value.
func (c *Command) assign(list []*syntax.Assign) {
	for _, a := range list {
		w := wordOf(a.Value)
		if a.Name != nil && a.Naked {
			w.Text = a.Name.Value
		} else if a.Name != nil {
			w.Text = a.Name.Value + "=" + w.Text
		}
		w.Plain = w.Plain && a.Index == nil && a.Array == nil
		c.Words = append(c.Words, w)
	}
}

func (c *Command) redirect(r *syntax.Redirect) {
	switch r.Op {
	case syntax.RdrIn:
		c.Reads = append(c.Reads, wordOf(r.Word))
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrInOut, syntax.RdrAll, syntax.AppAll:
		c.Wrote = append(c.Wrote, wordOf(r.Word))
	}
}

// wordOf takes the quotes off a word; nil is an empty one.
func wordOf(from *syntax.Word) Word {
	w := Word{Plain: true}
	if from == nil {
		return w
	}
	var b strings.Builder
	for i, p := range from.Parts {
		switch x := p.(type) {
		case *syntax.Lit:
			w.Plain = unquoted(&b, x.Value, i == 0) && w.Plain
		case *syntax.SglQuoted:
			b.WriteString(x.Value)
			w.Plain = w.Plain && !x.Dollar
		case *syntax.DblQuoted:
			w.Plain = doubled(&b, x) && w.Plain
		default:
			w.Plain = expansion(&b, x)
		}
	}
	w.Text = b.String()
	return w
}

// unquoted writes what stands outside of quotes, and reports whether it means itself.
func unquoted(b *strings.Builder, s string, first bool) (plain bool) {
	plain = !first || !strings.HasPrefix(s, "~")
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			if i++; s[i] == '\n' {
				continue
			}
		case strings.IndexByte("*?[{", s[i]) >= 0:
			plain = false
		}
		b.WriteByte(s[i])
	}
	return plain
}

// doubled writes what stands between double quotes, and reports whether it means itself.
func doubled(b *strings.Builder, q *syntax.DblQuoted) (plain bool) {
	plain = !q.Dollar
	for _, p := range q.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			plain = expansion(b, p)
			continue
		}
		for i := 0; i < len(lit.Value); i++ {
			s := lit.Value[i:]
			if s[0] != '\\' || len(s) == 1 || strings.IndexByte("$`\"\\\n", s[1]) < 0 {
				b.WriteByte(s[0])
				continue
			}
			if i++; s[1] != '\n' {
				b.WriteByte(s[1])
			}
		}
	}
	return plain
}

// expansion writes the name of a variable for its value and nothing for anything else, which
// is never plain.
func expansion(b *strings.Builder, p syntax.WordPart) (plain bool) {
	if x, ok := p.(*syntax.ParamExp); ok && x.Short && x.Param != nil {
		b.WriteString(x.Param.Value)
	}
	return false
}
