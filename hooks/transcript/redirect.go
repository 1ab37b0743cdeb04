package transcript

import "strings"

// redirections are the operators of redirections, the longer ones first.
var redirections = []string{"&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", ">>", ">&", ">|", "<(", ">(", "<", ">"}

// redirect reads a redirection with its file.
func (l *lexer) redirect() bool {
	op := ""
	for i := 0; op == ""; i++ { // < and > are among them, as the caller saw
		if strings.HasPrefix(l.s[l.i:], redirections[i]) {
			op = redirections[i]
		}
	}
	if op == "<(" || op == ">(" { // a command in place of a file
		l.cmd.words = append(l.cmd.words, word{})
		l.i++
		return l.parens()
	}
	l.i += len(op)
	l.i += len(l.s[l.i:]) - len(strings.TrimLeft(l.s[l.i:], " \t"))
	w, ok := l.word()
	if ok {
		l.redirected(op, w)
	}
	return ok
}

func (l *lexer) redirected(op string, w word) {
	switch op {
	case "<<", "<<-":
		l.docs = append(l.docs, w.text)
	case "<":
		l.cmd.reads = append(l.cmd.reads, w)
	case ">", ">>", ">|", "&>", "&>>", "<>":
		l.cmd.wrote = append(l.cmd.wrote, w)
	}
}

// skipDocs passes over the here-documents that begin here.
func (l *lexer) skipDocs() bool {
	for _, end := range l.docs {
		for {
			if l.i >= len(l.s) {
				return false
			}
			line := l.s[l.i : l.i+until(l.s[l.i:], "\n")]
			l.i = min(len(l.s), l.i+len(line)+1)
			if strings.TrimLeft(line, "\t") == end {
				break
			}
		}
	}
	l.docs = nil
	return true
}
