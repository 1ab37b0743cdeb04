package transcript

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A word is a word of a shell line with its quotes taken off. Its text is what the shell
// makes of it only if it is plain: no variable, no pattern, no command in it.
type word struct {
	text  string
	plain bool
}

// call takes the words of a simple command, and of what the shell does by itself. It reports
// false for what consists of other commands.
func (c *command) call(x syntax.Command) bool {
	switch x := x.(type) {
	case nil:
	case *syntax.CallExpr:
		c.assign(x.Assigns)
		for _, a := range x.Args {
			c.words = append(c.words, wordOf(a))
		}
	case *syntax.DeclClause:
		c.words = append(c.words, word{x.Variant.Value, true})
		c.assign(x.Args)
	case *syntax.LetClause:
		c.words = append(c.words, word{"let", true})
	case *syntax.TestClause:
		c.words = append(c.words, word{"[[", true})
	case *syntax.ArithmCmd:
		c.words = append(c.words, word{"((", true})
	default:
		return false
	}
	return true
}

// assign takes KEY=value for a word, and also what is declared without a value.
func (c *command) assign(list []*syntax.Assign) {
	for _, a := range list {
		w := wordOf(a.Value)
		if a.Name != nil && a.Naked {
			w.text = a.Name.Value
		} else if a.Name != nil {
			w.text = a.Name.Value + "=" + w.text
		}
		w.plain = w.plain && a.Index == nil && a.Array == nil
		c.words = append(c.words, w)
	}
}

func (c *command) redirect(r *syntax.Redirect) {
	switch r.Op {
	case syntax.RdrIn:
		c.reads = append(c.reads, wordOf(r.Word))
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrInOut, syntax.RdrAll, syntax.AppAll:
		c.wrote = append(c.wrote, wordOf(r.Word))
	}
}

// wordOf takes the quotes off a word; nil is an empty one.
func wordOf(from *syntax.Word) word {
	w := word{plain: true}
	if from == nil {
		return w
	}
	var b strings.Builder
	for i, p := range from.Parts {
		switch x := p.(type) {
		case *syntax.Lit:
			w.plain = unquoted(&b, x.Value, i == 0) && w.plain
		case *syntax.SglQuoted:
			b.WriteString(x.Value)
			w.plain = w.plain && !x.Dollar
		case *syntax.DblQuoted:
			w.plain = doubled(&b, x) && w.plain
		default:
			w.plain = expansion(&b, x)
		}
	}
	w.text = b.String()
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
