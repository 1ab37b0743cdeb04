package transcript

import "strings"

// word reads a word up to a blank or an operator. It reports false for one that does
// not end, or is none.
func (l *lexer) word() (w word, ok bool) {
	w.plain = true
	var b strings.Builder
	from := l.i
	for l.i < len(l.s) && strings.IndexByte(" \t\r\n;|&()<>", l.s[l.i]) < 0 {
		if !l.letter(&w, &b, l.i == from) {
			return w, false
		}
	}
	w.text = b.String()
	return w, l.i > from
}

// letter reads a part of a word: a letter, or what is between quotes.
func (l *lexer) letter(w *word, b *strings.Builder, first bool) bool {
	c := l.s[l.i]
	l.i++
	switch c {
	case '\'':
		return l.quoted(b)
	case '"':
		return l.doubled(b, w)
	case '\\':
		return l.escaped(b)
	case '$', '`':
		w.plain = false
		return l.expansion(c)
	}
	if strings.IndexByte("*?[{", c) >= 0 || c == '~' && first {
		w.plain = false
	}
	b.WriteByte(c)
	return true
}

// quoted reads up to the closing single quote.
func (l *lexer) quoted(b *strings.Builder) bool {
	n := strings.IndexByte(l.s[l.i:], '\'')
	if n < 0 {
		return false
	}
	b.WriteString(l.s[l.i : l.i+n])
	l.i += n + 1
	return true
}

// escaped reads what follows a backslash.
func (l *lexer) escaped(b *strings.Builder) bool {
	if l.i >= len(l.s) {
		return false
	}
	if l.s[l.i] != '\n' {
		b.WriteByte(l.s[l.i])
	}
	l.i++
	return true
}

// doubled reads up to the closing double quote.
func (l *lexer) doubled(b *strings.Builder, w *word) bool {
	for l.i < len(l.s) {
		c := l.s[l.i]
		l.i++
		switch {
		case c == '"':
			return true
		case c == '\\' && l.i < len(l.s) && strings.IndexByte("$`\"\\\n", l.s[l.i]) >= 0:
			l.escaped(b)
		case c == '$' || c == '`':
			w.plain = false
			if !l.expansion(c) {
				return false
			}
		default:
			b.WriteByte(c)
		}
	}
	return false
}

// expansion passes over what follows $ or a backquote: $x needs nothing, its name is
// taken for text.
func (l *lexer) expansion(c byte) bool {
	if c == '`' {
		n := strings.IndexByte(l.s[l.i:], '`')
		l.i += n + 1
		return n >= 0
	}
	if l.i < len(l.s) && (l.s[l.i] == '(' || l.s[l.i] == '{') {
		return l.parens()
	}
	return true
}

// parens passes over a bracket and what is in it, with quotes and brackets of its own.
func (l *lexer) parens() bool {
	depth := 0
	for l.i < len(l.s) {
		c := l.s[l.i]
		l.i++
		switch c {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return true
			}
		case '\\':
			l.i++
		case '\'', '"':
			l.i += closing(l.s[min(l.i, len(l.s)):], c)
		}
	}
	l.i = min(l.i, len(l.s))
	return false
}

// closing is what follows the closing quote in s.
func closing(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == quote:
			return i + 1
		case s[i] == '\\' && quote == '"':
			i++
		}
	}
	return len(s)
}
