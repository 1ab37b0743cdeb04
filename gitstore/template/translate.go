package template

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A format is a part of Jinja2:
//
//	tags     {{ value }}, {# comment #}, if/elif/else, for x in list (or k, v; with if, or
//	         and else), break, continue, set name = value; a dash eats the blanks beside it
//	values   text, numbers, true, false, none, [lists], names, a.b, a['b'], a[0]
//	between  or and not in is == != < <= > >= + - ~ * / and a if b else c
//	filters  and tests: those of filter.go; a.name() is a | name
//
// It is translated to a template of Go's: what stands in a tag becomes calls of the
// functions of a run, and nothing else of Go's templates can be reached. What calls itself,
// reads files or goes on without end is refused when the template is written, with the
// line, and is not there when it is rendered.
const (
	maxTag   = 300 // words of one tag
	maxDepth = 32  // blocks in each other
)

// What tags begin and end with in the translation; text that has them is refused.
const open, shut = "\x01", "\x02"

// instead says what to write in place of a tag that there is not.
var instead = [][2]string{
	{"include import from extends", "a template loads no files, write here what it would load"},
	{"macro call block", "write out what it stands for"},
	{"filter", "use '{{ value | filter }}'"},
	{"with", "use 'set name = value'"},
	{"raw", "use '{{ \"{{\" }}'"},
}

// A FormatError says what a format uses that cannot be rendered. What else the template
// says holds.
type FormatError struct {
	Line   int
	Reason string
}

// Error returns the message.
func (e *FormatError) Error() string { return fmt.Sprintf("format, line %d: %s", e.Line, e.Reason) }

// IsReadable reports whether Parse returned a template beside that error: one whose format
// can be rendered, or else says why not when it is.
func IsReadable(err error) bool {
	var bad *FormatError
	return err == nil || errors.As(err, &bad)
}

// A translator reads a format from the front. After the first error it reads nothing more.
type translator struct {
	src    string // not read yet
	line   int    // of src
	out    strings.Builder
	words  []string // of the tag, not read yet; text has its quotes
	blocks []block
	sets   []string // the names that the format sets
	err    error
}

// A block is an if or a for that is not closed.
type block struct {
	name   string   // of its tag
	vars   []string // of a loop
	inElse bool
}

// translate returns a format as a template of Go's. Its error is a FormatError.
func translate(format string) (string, error) {
	t := &translator{src: format, line: 1}
	if len(format) > maxFormat || strings.ContainsAny(format, open+shut) {
		t.fail("it has %d bytes, at most %d are allowed, and no control characters", len(format), maxFormat)
	}
	for _, m := range setPattern().FindAllStringSubmatch(format, -1) {
		t.sets = append(t.sets, m[1])
	}
	t.declare("get %q")
	for t.err == nil && t.src != "" {
		i := tagPattern().FindStringIndex(t.src)
		if i == nil {
			i = []int{len(t.src), len(t.src)}
		}
		t.out.WriteString(t.skip(i[0]))
		if tag := t.skip(i[1] - i[0]); tag != "" {
			t.tag(tag)
		}
	}
	if n := len(t.blocks); n > 0 {
		t.fail("'end%s' is missing at the end", t.blocks[n-1].name)
	}
	return t.out.String(), t.err
}

func (t *translator) fail(format string, args ...any) string {
	if t.err == nil {
		t.err = &FormatError{t.line, legible.OneLine(fmt.Sprintf(format, args...))}
	}
	return ""
}

// skip moves on by n bytes and returns them.
func (t *translator) skip(n int) string {
	s := t.src[:n]
	t.src, t.line = t.src[n:], t.line+strings.Count(s, "\n")
	return s
}

func (t *translator) emit(format string, args ...any) {
	fmt.Fprintf(&t.out, open+format+shut, args...)
}

// declare makes variables, of the innermost block, of the names that are set: what is set
// in a loop ends with the round.
func (t *translator) declare(value string) {
	for _, name := range t.sets {
		t.emit("$v_%s := "+value, name, name)
	}
}

var (
	setPattern  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{%[-+]?\s*set\s+([A-Za-z_]\w*)`) })
	tagPattern  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[{%#][-+]?`) })
	wordPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*([-+]?[%}]\}|"(?:[^"\\]|\\[^\x00])*"|'(?:[^'\\]|\\[^\x00])*'|\d+(?:\.\d+)?|[A-Za-z_]\w*|[=!<>]=|[-+*/~<>=|.,:()\[\]])`)
	})
)

// tag reads a tag behind what opens it.
func (t *translator) tag(opened string) {
	if strings.HasSuffix(opened, "-") {
		t.out.WriteString(open + `- ""` + shut)
	}
	closed := ""
	if opened[1] == '#' {
		_, rest, ok := strings.Cut(t.src, "#}")
		if !ok {
			t.fail("'#}' is missing")
			return
		}
		closed = t.skip(len(t.src) - len(rest))
		closed = closed[max(len(closed)-3, 0):]
	} else {
		closed = t.lex(map[byte]string{'{': "}}", '%': "%}"}[opened[1]])
		if opened[1] == '{' {
			t.emit("text %s", t.expr())
		} else {
			t.statement(t.name())
		}
		if w := t.peek(); w != "" {
			t.fail("'%s' is not expected there", w)
		}
	}
	if strings.HasPrefix(closed, "-") {
		t.out.WriteString(open + `"" -` + shut)
	}
}

// lex reads the words of a tag, and returns its end.
func (t *translator) lex(end string) string {
	for t.words = nil; t.err == nil; {
		near := t.src[:min(len(t.src), 200)] // because a search costs what there is to search in
		m := wordPattern().FindStringSubmatch(near)
		if m == nil || len(m[0]) == len(near) {
			m = wordPattern().FindStringSubmatch(t.src)
		}
		switch {
		case m == nil:
			t.fail("a tag is not closed, or has no meaning from here on: '%.20s'", strings.ToValidUTF8(t.src, ""))
		case strings.HasSuffix(m[1], end):
			t.skip(len(m[0]))
			return m[1]
		case len(t.words) == maxTag:
			t.fail("a tag has more than %d words", maxTag)
		default:
			t.skip(len(m[0]))
			t.words = append(t.words, m[1])
		}
	}
	return ""
}

// statement reads what stands in a tag behind its name.
func (t *translator) statement(name string) {
	last := &block{}
	if n := len(t.blocks); n > 0 {
		last = &t.blocks[n-1]
	}
	switch {
	case name == "if":
		t.emit("if %s", t.expr())
		t.open(block{name: "if"})
	case name == "for":
		t.forTag()
	case name == "elif" && last.name == "if" && !last.inElse:
		t.emit("else if %s", t.expr())
	case name == "else" && last.name != "" && !last.inElse:
		last.inElse = true
		t.emit("else")
	case (name == "break" || name == "continue") && slices.ContainsFunc(t.blocks, func(b block) bool { return b.name == "for" }):
		t.emit("%s", name)
	case last.name != "" && name == "end"+last.name:
		t.emit("end")
		t.blocks = t.blocks[:len(t.blocks)-1]
	case name == "set":
		target := t.name()
		if t.err == nil && !t.accept("=") {
			t.fail("a set block is not supported: use 'set name = value'")
		}
		t.emit("$v_%s = %s", target, t.expr())
	default:
		for _, i := range instead {
			if slices.Contains(strings.Fields(i[0]), name) {
				t.fail("tag '%s' is not supported: %s", name, i[1])
			}
		}
		t.fail("tag '%s' is not supported, or not here: there are if, for, set, break and continue", name)
	}
}

func (t *translator) open(b block) {
	if t.blocks = append(t.blocks, b); len(t.blocks) > maxDepth {
		t.fail("blocks are nested more than %d deep", maxDepth)
	}
}

func (t *translator) forTag() {
	names := []string{t.name()}
	if t.accept(",") {
		names = append(names, t.name())
	}
	t.expect("in")
	over := t.binary(0)
	t.open(block{name: "for", vars: append([]string{"loop"}, names...)})
	if t.accept("if") {
		t.emit("$kept := list")
		t.loop(names, over)
		t.emit("if %s", t.expr())
		t.emit("$kept = keep $kept $loop")
		t.emit("end")
		t.emit("end")
		over = "$kept"
	}
	t.loop(names, over)
}

func (t *translator) loop(names []string, over string) {
	t.emit("range $loop := loop %d %s", len(names), over)
	t.emit("$v_loop := $loop")
	t.declare("$v_%s")
	for i, name := range names {
		t.emit("$v_%s := item $loop %d %d", name, len(names), i)
	}
}

// expr reads a whole expression, and returns it in Go's form.
func (t *translator) expr() string {
	value := t.binary(0)
	if !t.accept("if") {
		return value
	}
	cond, other := t.binary(0), "none"
	if t.accept("else") {
		other = t.expr()
	}
	return fmt.Sprintf("(choose %s %s %s)", cond, value, other)
}

// levels are the operators, those that bind least first.
var levels = [][]string{{"or"}, {"and"}, {"not", "in", "==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"~"}, {"*", "/"}}

func (t *translator) binary(level int) string {
	if level == len(levels) {
		return t.value()
	}
	if level == 2 && t.accept("not") {
		return fmt.Sprintf("(choose %s false true)", t.binary(2))
	}
	left := t.binary(level + 1)
	for t.err == nil && slices.Contains(levels[level], t.peek()) {
		op := t.next()
		if op == "not" {
			t.expect("in")
			op = "not in"
		}
		left = fmt.Sprintf("(operate %q %s %s)", op, left, t.binary(level+1))
		if level == 2 { // a < b < c is another thing than (a < b) < c
			break
		}
	}
	return left
}

// value reads a value with what may stand behind it: .name, .method(), [key], filters, tests.
func (t *translator) value() string {
	value := t.primary()
	for t.err == nil {
		switch {
		case t.accept("|"), t.peek() == "." && len(t.words) > 2 && t.words[2] == "(" && t.accept("."):
			value = t.filter(value)
		case t.accept("is"):
			value = t.test(value)
		case t.accept("."):
			value = fmt.Sprintf("(part %s %q)", value, t.next())
		case t.accept("["):
			value = fmt.Sprintf("(part %s %s)", value, t.expr())
			t.expect("]")
		default:
			return value
		}
	}
	return value
}

func (t *translator) primary() string {
	w := t.next()
	if w == "" {
		return t.fail("a value is missing")
	}
	switch strings.ToLower(w) {
	case "(":
		value := t.expr()
		t.expect(")")
		return value
	case "[":
		all := "(list"
		for t.err == nil && !t.accept("]") {
			if all += " " + t.expr(); t.peek() != "]" {
				t.expect(",")
			}
		}
		return all + ")"
	case "-":
		return fmt.Sprintf("(operate %q 0 %s)", w, t.value())
	case "true", "false", "none":
		return strings.ToLower(w)
	}
	if strings.Contains(`"'`, w[:1]) {
		return strconv.Quote(unquote().Replace(w[1 : len(w)-1]))
	}
	if '0' <= w[0] && w[0] <= '9' {
		return strings.TrimLeft(w[:len(w)-1], "0") + w[len(w)-1:]
	}
	if !fieldName().MatchString(w) || t.peek() == "(" {
		return t.fail("a value is expected, not '%s'; only filters can be called", w)
	}
	isVar := slices.Contains(t.sets, w) || slices.ContainsFunc(t.blocks, func(b block) bool { return slices.Contains(b.vars, w) })
	if isVar {
		return "$v_" + w
	}
	return fmt.Sprintf("(get %q)", w)
}

var unquote = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`, `\'`, `'`, `\"`, `"`)
})

// filter reads the name of a filter and its arguments.
func (t *translator) filter(value string) string {
	name := t.name()
	f, ok := filters()[name]
	if !ok {
		return t.fail("filter '%s' is not supported: there are %s", name, known(filters()))
	}
	params := strings.Fields(f.params)
	args := slices.Repeat([]string{"none"}, len(params))
	for i := 0; t.err == nil && (i > 0 || t.accept("(")) && !t.accept(")"); i++ {
		at := i
		if len(t.words) > 1 && t.words[1] == "=" {
			at = slices.Index(params, t.next())
			t.next()
		}
		if at < 0 || at >= len(args) {
			return t.fail("filter '%s' takes (%s), and nothing else", name, strings.Join(params, ", "))
		}
		if args[at] = t.expr(); t.peek() != ")" {
			t.expect(",")
		}
	}
	return fmt.Sprintf("(filter %q %s %s)", name, value, strings.Join(args, " "))
}

func (t *translator) test(value string) string {
	form := "(test %q %s %s)"
	if t.accept("not") {
		form = "(choose " + form + " false true)"
	}
	name, arg := t.name(), "none"
	if tests()[name] == nil {
		return t.fail("test '%s' is not supported: there are %s", name, known(tests()))
	}
	if t.accept("(") {
		arg = t.expr()
		t.expect(")")
	}
	return fmt.Sprintf(form, name, value, arg)
}

// known lists the names of a table for a message.
func known[V any](table map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(table)), ", ")
}

// peek is the next word of the tag, "" at its end.
func (t *translator) peek() string {
	if len(t.words) == 0 {
		return ""
	}
	return t.words[0]
}

func (t *translator) next() string {
	w := t.peek()
	t.words = t.words[min(1, len(t.words)):]
	return w
}

// accept reads that word if it is the next.
func (t *translator) accept(word string) bool {
	return t.peek() == word && t.next() == word
}

func (t *translator) expect(word string) {
	if !t.accept(word) {
		t.fail("'%s' is expected, not '%s'", word, t.peek())
	}
}

func (t *translator) name() string {
	if w := t.peek(); w == "" || !fieldName().MatchString(w) {
		return t.fail("a name is expected, not '%s'", w)
	}
	return t.next()
}
