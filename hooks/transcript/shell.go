package transcript

import "strings"

// maxShell is how much of a shell line is looked at, in bytes: a file that is written
// with a here-document may be in it.
const maxShell = 256 << 10

// commands reads a shell line into its commands.
func commands(line string) []command {
	l := &lexer{s: line[:min(len(line), maxShell)]}
	for l.i < len(l.s) && l.step() {
	}
	l.end("")
	return l.out
}

// step reads one word or operator and reports whether it could.
func (l *lexer) step() bool {
	switch c := l.s[l.i]; {
	case c == '\n':
		l.i++
		l.end(";")
		return l.skipDocs()
	case c == ' ' || c == '\t' || c == '\r':
		l.i++
	case strings.HasPrefix(l.s[l.i:], "\\\n"):
		l.i += 2
	case c == '#':
		l.i += until(l.s[l.i:], "\n")
	case c == '<' || c == '>' || c == '&' && strings.HasPrefix(l.s[l.i:], "&>"):
		return l.redirect()
	case strings.IndexByte(";|&()", c) >= 0:
		l.operator()
	default:
		return l.next()
	}
	return true
}

func (l *lexer) next() bool {
	w, ok := l.word()
	if ok && !l.isNumber(w) {
		l.cmd.words = append(l.cmd.words, w)
	}
	return ok
}

// isNumber reports whether a word names the file descriptor of a redirection.
func (l *lexer) isNumber(w word) bool {
	return len(w.text) == 1 && w.text[0] >= '0' && w.text[0] <= '9' && l.i < len(l.s) &&
		(l.s[l.i] == '<' || l.s[l.i] == '>') && l.s[l.i-1] == w.text[0]
}

func (l *lexer) operator() {
	op := l.s[l.i : l.i+1]
	if two := l.s[l.i:min(len(l.s), l.i+2)]; two == "&&" || two == "||" || two == ";;" || two == "|&" {
		op = two
	}
	l.i += len(op)
	switch op {
	case "(":
		l.end(";")
		l.depth++
	case ")":
		l.end(";")
		l.depth = max(0, l.depth-1)
	case "|&":
		l.end("|")
	case ";;":
		l.end(";")
	default:
		l.end(op)
	}
}

// end closes a command.
func (l *lexer) end(op string) {
	c := l.cmd
	l.cmd = command{}
	if len(c.words)+len(c.reads)+len(c.wrote) == 0 {
		if n := len(l.out); n > 0 && op != ";" && op != "" && l.out[n-1].then == ";" { // (a) && b
			l.out[n-1].then = op
		}
		return
	}
	c.then, c.depth = op, l.depth
	if n := len(l.out); n > 0 && l.out[n-1].then == "|" {
		c.fed = true
	}
	l.out = append(l.out, c)
}
