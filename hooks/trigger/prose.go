package trigger

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands for something that does not count as speech, in the place where it was.
const (
	codeWord  = "`code`"
	quoteWord = "`quote`"
	linkWord  = "`link`"
)

// prose is what its author says in a Markdown text, line by line: without code, logs,
// quotations, tables and links. A line that goes on in the next is joined with it, so that each
// is a paragraph, a heading or an item of a list.
func prose(text string) []string {
	var p speech
	for line := range strings.Lines(text) {
		p.line(strings.TrimRight(line, " \t\r\n"))
	}
	return p.lines
}

// speech gathers the lines of a text that count.
type speech struct {
	lines []string
	fence string // the mark of the code that the line is in
	code  bool   // in code that is indented
	open  bool   // the last line may go on
	blank bool   // the line before was empty
}

func (p *speech) line(s string) {
	bare := strings.TrimLeft(s, " \t")
	switch mark := fenceOf(bare); {
	case p.fence != "":
		if strings.HasPrefix(bare, p.fence) && strings.Trim(bare, p.fence[:1]) == "" {
			p.fence = ""
		}
		p.open = false
		return
	case mark != "":
		p.fence, p.open = mark, false
		return
	}
	p.code = indent(s) >= 4 && (p.code || p.blank || len(p.lines) == 0)
	p.blank = bare == ""
	switch {
	case bare == "" || p.code || strings.ContainsRune(">|", rune(bare[0])) || isLog(bare):
		p.open = false
	default:
		p.add(bare)
	}
}

// add takes up a line of speech.
func (p *speech) add(s string) {
	item, rest := unmarked(s)
	lower, _ := utf8.DecodeRuneInString(rest)
	if n := len(p.lines) - 1; p.open && !item && (len(p.lines[n]) >= wrapped && unicode.IsLower(lower)) {
		p.lines[n] += " " + rest
		return
	}
	p.lines = append(p.lines, rest)
	p.open = true
}

// wrapped is how long a line is that may have been broken for its length only.
const wrapped = 60

// fenceOf is the mark that begins a block of code, "" for none.
func fenceOf(s string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 && (c == "~" || !strings.Contains(s[n:], c)) {
			return s[:n]
		}
	}
	return ""
}

func indent(s string) (n int) {
	for _, c := range s {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return 0
}

// unmarked is a line without what makes it a heading or an item of a list, and whether
// there was such a thing.
func unmarked(s string) (bool, string) {
	rest := strings.TrimLeft(s, "#")
	if rest != s && strings.HasPrefix(rest, " ") {
		return true, strings.TrimSpace(rest)
	}
	head, rest, ok := strings.Cut(s, " ")
	if !ok || len(head) > 3 {
		return false, s
	}
	if head == "-" || head == "*" || head == "+" || head == "•" {
		return true, strings.TrimSpace(rest)
	}
	if n := strings.TrimRight(head, ".)"); n != head && strings.Trim(n, "0123456789") == "" {
		return true, strings.TrimSpace(rest)
	}
	return false, s
}

// levels are what a line of a log has near its beginning.
var levels = map[string]bool{
	"LOG:": true, "ERROR:": true, "ERROR": true, "WARN": true, "WARNING:": true, "INFO": true, "DEBUG": true,
	"FATAL:": true, "FAIL": true, "PASS": true, "ERR!": true, "Traceback": true, "panic:": true, "HINT:": true, "DETAIL:": true,
}

// isLog reports whether a program wrote the line.
func isLog(s string) bool {
	if len(s) > 19 && s[4] == '-' && s[7] == '-' && (s[10] == 'T' || s[10] == ' ') {
		return true
	}
	words := 0
	for w := range strings.FieldsSeq(s[:min(len(s), 80)]) {
		if words++; levels[w] || strings.HasSuffix(w, "Error:") || strings.HasSuffix(w, "Exception:") {
			return true
		}
		if words == 3 {
			break
		}
	}
	return strings.HasPrefix(s, "at ") && strings.HasSuffix(s, ")") || strings.HasPrefix(s, "File \"") || strings.HasPrefix(s, "raise ") || strings.HasPrefix(s, "$ ")
}

// quotes are the marks that open a quotation, and those that close it.
var quotes = map[rune]rune{'"': '"', '“': '”', '”': '”', '„': '“', '«': '»', '»': '«', '‘': '’', '\'': '\''}

// maxQuote is how long a quotation in a line may be, in bytes: with a mark that nobody
// closed, the rest is still heard.
const maxQuote = 600

// spoken is a line with a word in the place of each piece of code, quotation and link, and without
// the marks of emphasis.
func spoken(s string) string {
	var b strings.Builder
	before := ' '
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		word, skip := "", 0
		switch {
		case r == '`':
			word, skip = codeWord, codeSpan(s[i:])
		case quotes[r] != 0 && !wordRune(before):
			word, skip = quoteWord, quoteSpan(s[i:], r, quotes[r], n)
		case r == 'h' && (strings.HasPrefix(s[i:], "http://") || strings.HasPrefix(s[i:], "https://")):
			word, skip = linkWord, len(s[i:])-len(strings.TrimLeftFunc(s[i:], func(r rune) bool { return !unicode.IsSpace(r) && r != ')' }))
		}
		switch {
		case skip > 0:
			b.WriteString(" " + word + " ")
			i, before = i+skip, ' '
			continue
		case r == '*' || r == '_' && !(wordRune(before) && i+1 < len(s) && wordRune(rune(s[i+1]))):
		default:
			b.WriteRune(r)
		}
		i, before = i+n, r
	}
	return b.String()
}

// codeSpan is the length of the code that s begins with, 0 for none: up to a mark as
// long as the one that opens it. A mark that nobody closes is no code.
func codeSpan(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	for i := n; i < min(len(s), maxQuote); {
		j := strings.IndexByte(s[i:min(len(s), maxQuote)], '`')
		if j < 0 {
			return 0
		}
		i += j
		m := len(s[i:]) - len(strings.TrimLeft(s[i:min(len(s), i+maxQuote)], "`"))
		m = min(m, len(s)-i)
		if m == n {
			return i + m
		}
		i += max(m, 1)
	}
	return 0
}

// quoteSpan is the length of the quotation that s begins with, 0 for none. An apostrophe
// closes one only where a word ends.
func quoteSpan(s string, open, end rune, n int) int {
	for i, r := range s[:min(len(s), maxQuote)] {
		if i < n || r != end && !(open == '“' && r == '"') {
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if i == n || (r == '\'' || r == '’') && wordRune(after) {
			continue
		}
		return i + utf8.RuneLen(r)
	}
	return 0
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
