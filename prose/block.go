package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A block is a paragraph, a heading or an item of a list, on one line.
type block struct {
	text    string
	heading bool
	item    bool
}

// blocksOf are the blocks of a Markdown text that somebody says.
func blocksOf(text string) []block {
	var r reader
	for line := range strings.Lines(strings.ToValidUTF8(text, "\ufffd")) {
		r.line(strings.TrimRight(line, " \t\r\n"))
	}
	return r.blocks
}

// A reader gathers blocks line by line.
type reader struct {
	blocks []block
	width  int    // of the line before, if the block may go on behind it; 0 is that it may not
	fence  string // the mark of the code that the line is in
	code   bool   // in code that is indented
	quote  bool   // in a quotation, or in another thing that goes on to the next blank line
	blank  bool   // the line before was empty
}

func (r *reader) line(s string) {
	bare := strings.TrimLeft(s, " \t\u3000")
	switch mark := fenceOf(bare); {
	case r.fence != "":
		if strings.HasPrefix(bare, r.fence) && strings.Trim(bare, r.fence[:1]) == "" {
			r.fence = ""
		}
		return
	case mark != "":
		r.fence, r.width, r.blank = mark, 0, false
		return
	}
	item, _ := cutMark(bare)
	r.code = !item && bare != "" && indent(s) >= r.codeIndent() && (r.code || r.blank || len(r.blocks) == 0)
	r.blank = bare == ""
	r.quote = bare != "" && (r.quote && !item || startsQuote(bare))
	switch {
	case bare == "" || r.code || r.quote || isRule(bare) || isTable(bare) || isLog(bare):
		r.width = 0
	default:
		r.add(bare)
	}
}

// codeIndent is how far code is indented: what follows an item may belong to it.
func (r *reader) codeIndent() int {
	if n := len(r.blocks); n > 0 && r.blocks[n-1].item {
		return 8
	}
	return 4
}

// add takes up a line that somebody says.
func (r *reader) add(s string) {
	if rest := strings.TrimLeft(s, "#"); rest != s && strings.HasPrefix(rest, " ") {
		r.blocks = append(r.blocks, block{text: strings.Trim(rest, " #"), heading: true})
		r.width = 0
		return
	}
	item, rest := cutMark(s)
	if !item && isTitle(s) {
		r.blocks = append(r.blocks, block{text: s, heading: true})
		r.width = 0
		return
	}
	if n := len(r.blocks) - 1; !item && r.width > 0 && r.goesOn(rest) {
		r.blocks[n].text = join(r.blocks[n].text, rest)
	} else if rest != "" {
		r.blocks = append(r.blocks, block{text: rest, item: item || n >= 0 && r.width > 0 && r.blocks[n].item})
	}
	r.width = Width(s)
}

// A line that is this wide, but no wider, may have been broken for its length only. Chinese
// and Japanese characters are two columns wide.
const (
	leastWrapped = 55
	mostWrapped  = 125
)

// goesOn reports whether a line goes on with the sentence of the line before.
func (r *reader) goesOn(s string) bool {
	if r.width < leastWrapped || r.width > mostWrapped {
		return false
	}
	label, _ := cutLabel(s, true)
	return label == "" || !strings.HasPrefix(s, "**")
}

// join puts two lines together, with a blank between words that need one.
func join(a, b string) string {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	if wide(last) && wide(first) {
		return a + b
	}
	return a + " " + b
}

// wide reports whether a character is one of Chinese or Japanese, or a mark of theirs.
func wide(r rune) bool {
	return r >= 0x2e80 && r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xffef || r >= 0x20000 && r <= 0x3ffff
}

// Width is how many columns a text takes.
func Width(s string) (n int) {
	for _, r := range s {
		if n++; wide(r) {
			n++
		}
	}
	return n
}

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

// cutMark is a line without what makes it an item of a list, and whether there was such
// a thing.
func cutMark(s string) (bool, string) {
	if first, n := utf8.DecodeRuneInString(s); strings.ContainsRune("•・●◦", first) {
		return true, strings.TrimSpace(s[n:])
	}
	head, rest, _ := strings.Cut(s, " ")
	switch digits := strings.TrimRight(head, ".)、．"); {
	case head == "-" || head == "*" || head == "+" || head == "–":
	case digits != head && digits != "" && len(digits) < 3 && strings.Trim(digits, "0123456789") == "":
	default:
		return false, s
	}
	rest = strings.TrimSpace(rest)
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		rest = strings.TrimPrefix(rest, box)
	}
	return true, rest
}

// isTitle reports whether a line is as good as a heading: all of it is bold, or it is a
// label with nothing behind it.
func isTitle(s string) bool {
	bare := strings.TrimRight(s, ":： ")
	if len(bare) > 4 && len(bare) <= maxTitle && strings.HasPrefix(bare, "**") && strings.HasSuffix(bare, "**") && strings.Count(bare, "**") == 2 {
		inner := strings.TrimRight(bare[2:len(bare)-2], ":： ")
		return !endsSentence(inner)
	}
	return bare != s && RoleOf(plainLabel(s)) != ""
}

// maxTitle is how long a heading in bold may be, in bytes: what is longer is emphasis.
const maxTitle = 80

func endsSentence(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?。！？", r)
}

// startsQuote reports whether a line begins a quotation or a piece of HTML.
func startsQuote(s string) bool {
	if s[0] == '>' {
		return true
	}
	return len(s) > 1 && s[0] == '<' && (s[1] == '/' || s[1] == '!' || unicode.IsLetter(rune(s[1]))) && !strings.HasPrefix(s, "<http")
}

// isRule reports whether a line is drawn: "---", "====".
func isRule(s string) bool {
	return len(s) >= 3 && strings.Trim(s, string(s[0])+" ") == "" && strings.ContainsRune("-=*_", rune(s[0]))
}

// isTable reports whether a line is the row of a table.
func isTable(s string) bool {
	return s[0] == '|' || strings.Contains(s, "|") && strings.Trim(s, "-|: ") == ""
}

// levels are what a line of a log has near its beginning.
var levels = WordSet("LOG: ERROR: ERROR WARN WARNING: INFO DEBUG FATAL: FAIL PASS ERR! Traceback panic: HINT: DETAIL:")

// isLog reports whether a program wrote the line.
func isLog(s string) bool {
	if len(s) > 19 && s[4] == '-' && s[7] == '-' && (s[10] == 'T' || s[10] == ' ') {
		return true
	}
	words := 0
	for w := range strings.FieldsSeq(s[:min(len(s), 80)]) {
		if words++; levels()[w] || strings.HasSuffix(w, "Error:") || strings.HasSuffix(w, "Exception:") {
			return true
		}
		if words == 3 {
			break
		}
	}
	return strings.HasPrefix(s, "at ") && strings.HasSuffix(s, ")") || strings.HasPrefix(s, "File \"") || strings.HasPrefix(s, "raise ") || strings.HasPrefix(s, "$ ")
}
