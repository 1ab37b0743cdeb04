package install

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A statement of a TOML file is a header, or a key with its value, and where it stands.
type statement struct {
	kind     byte     // '[' of a table, 'a' of one in a list of tables, or '='
	key      []string // in full, with that of its table
	from, to int      // without the comment behind it
	val      tomlValue
}

// A tomlValue is a value and where it stands.
type tomlValue struct {
	kind     byte // '"', '[', '{', or '0' for any other
	from, to int
	text     string // of a '"'
	items    []tomlValue
	members  []statement // of a '{', with keys that begin there
}

// tomlParser reads TOML 1.0, and of 1.1 line breaks in inline tables. It knows where
// things stand; whether a key is given twice is for the file's owner to find out.
type tomlParser struct {
	src   []byte
	at    int
	depth int
}

// parseTOML reads the statements of a file. The error has the line.
func parseTOML(src []byte) (list []statement, err error) {
	p := &tomlParser{src: src}
	if !utf8.Valid(src) {
		return nil, errors.New("not valid TOML: not UTF-8")
	}
	if bytes.HasPrefix(src, bom) {
		p.at = len(bom)
	}
	var table []string
	for err == nil {
		if err = p.skip(true); err != nil || p.at == len(src) {
			break
		}
		var s statement
		if s, err = p.statement(table); err == nil {
			if s.kind != '=' {
				table = s.key
			}
			list = append(list, s)
			err = p.lineEnd()
		}
	}
	if err != nil {
		line := bytes.Count(src[:min(p.at, len(src))], []byte("\n")) + 1
		return nil, fmt.Errorf("not valid TOML at line %d: %w", line, err)
	}
	return list, nil
}

func (p *tomlParser) has(prefix string) bool { return bytes.HasPrefix(p.src[p.at:], []byte(prefix)) }

func (p *tomlParser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// skip passes blanks, and with lines also line breaks and comments.
func (p *tomlParser) skip(lines bool) error {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == ' ' || c == '\t' || lines && c == '\n':
			p.at++
		case lines && p.has("\r\n"):
			p.at += 2
		case lines && c == '#':
			p.comment()
		case c == '\r' && !p.has("\r\n"):
			return errors.New("a carriage return alone")
		default:
			return nil
		}
	}
	return nil
}

// comment passes a comment, without the line break behind it.
func (p *tomlParser) comment() {
	for p.at < len(p.src) && p.src[p.at] != '\n' && !p.has("\r\n") {
		p.at++
	}
}

// lineEnd wants nothing but a comment on the rest of a line.
func (p *tomlParser) lineEnd() error {
	if err := p.skip(false); err != nil {
		return err
	}
	if p.peek() == '#' {
		p.comment()
	}
	if p.at < len(p.src) && p.peek() != '\n' && !p.has("\r\n") {
		return errors.New("the end of the line expected")
	}
	return nil
}

func (p *tomlParser) statement(table []string) (s statement, err error) {
	s = statement{kind: p.peek(), from: p.at}
	if s.kind != '[' {
		return p.pair(table)
	}
	closing := "]"
	if p.has("[[") {
		s.kind, closing = 'a', "]]"
	}
	p.at += len(closing)
	if s.key, err = p.key(nil); err != nil {
		return s, err
	}
	if !p.has(closing) {
		return s, fmt.Errorf("'%s' expected", closing)
	}
	p.at += len(closing)
	s.to = p.at
	return s, nil
}

// pair reads a key and its value.
func (p *tomlParser) pair(table []string) (s statement, err error) {
	s = statement{kind: '=', from: p.at}
	if s.key, err = p.key(table); err != nil {
		return s, err
	}
	if p.peek() != '=' {
		return s, errors.New("'=' expected")
	}
	p.at++
	if err = p.skip(false); err == nil {
		s.val, err = p.value()
	}
	s.to = p.at
	return s, err
}

// key reads names with dots between, and the blanks behind them.
func (p *tomlParser) key(table []string) (key []string, err error) {
	key = table[:len(table):len(table)]
	for {
		if err = p.skip(false); err != nil {
			return nil, err
		}
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		key = append(key, name)
		if err = p.skip(false); err != nil {
			return nil, err
		}
		if p.peek() != '.' {
			return key, nil
		}
		p.at++
	}
}

func (p *tomlParser) name() (string, error) {
	if c := p.peek(); (c == '"' || c == '\'') && !p.has(`"""`) && !p.has(`'''`) {
		v, err := p.text()
		return v.text, err
	}
	from := p.at
	for p.at < len(p.src) && (p.src[p.at] == '-' || p.src[p.at] == '_' || isAlphanumeric(p.src[p.at])) {
		p.at++
	}
	if p.at == from {
		return "", errors.New("a key expected")
	}
	return string(p.src[from:p.at]), nil
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func (p *tomlParser) value() (v tomlValue, err error) {
	if p.depth++; p.depth > maxDepth {
		return v, errors.New("nested too deep")
	}
	defer func() { p.depth-- }()
	switch p.peek() {
	case '"', '\'':
		return p.text()
	case '[', '{':
		return p.collection()
	}
	return p.plain()
}

// collection reads a list or an inline table.
func (p *tomlParser) collection() (v tomlValue, err error) {
	v = tomlValue{kind: p.peek(), from: p.at}
	for comma := true; ; {
		p.at++ // the bracket, or a comma
		if err = p.skip(true); err != nil {
			return v, err
		}
		if p.peek() == v.kind+2 { // '[' and ']', '{' and '}' are two apart
			p.at++
			v.to = p.at
			return v, nil
		}
		if !comma {
			return v, fmt.Errorf("',' or '%c' expected", v.kind+2)
		}
		if err = p.item(&v); err == nil {
			err = p.skip(true)
		}
		if err != nil {
			return v, err
		}
		if comma = p.peek() == ','; !comma {
			p.at-- // the closing bracket stands here, or an error does
		}
	}
}

func (p *tomlParser) item(v *tomlValue) error {
	if v.kind == '{' {
		m, err := p.pair(nil)
		v.members = append(v.members, m)
		return err
	}
	one, err := p.value()
	v.items = append(v.items, one)
	return err
}

// plainValue is a number, date, time, or truth.
var plainValue = sync.OnceValue(func() *regexp.Regexp {
	const clock = `\d\d:\d\d(:\d\d(\.\d+)?)?`
	return regexp.MustCompile(`^([+-]?(inf|nan|\d[\d_]*(\.[\d_]+)?([eE][+-]?[\d_]+)?)|0(x[\da-fA-F_]+|o[0-7_]+|b[01_]+)|true|false|` +
		`\d{4}-\d\d-\d\d([Tt ]` + clock + `([Zz]|[+-]\d\d:\d\d)?)?|` + clock + `)$`)
})

func (p *tomlParser) plain() (tomlValue, error) {
	from := p.at
	for p.at < len(p.src) && !bytes.ContainsRune([]byte(",]}#\n"), rune(p.src[p.at])) && !p.has("\r\n") {
		p.at++
	}
	p.at = from + len(bytes.TrimRight(p.src[from:p.at], " \t"))
	if !plainValue().Match(p.src[from:p.at]) {
		p.at = from
		return tomlValue{}, errors.New("a value expected")
	}
	return tomlValue{kind: '0', from: from, to: p.at}, nil
}

// text reads a text of any of the four kinds.
func (p *tomlParser) text() (v tomlValue, err error) {
	v = tomlValue{kind: '"', from: p.at}
	quote, long := string(p.src[p.at]), false
	if three := strings.Repeat(quote, 3); p.has(three) {
		quote, long = three, true
	}
	start := p.at + len(quote)
	for i := start; i < len(p.src); i++ {
		c := p.src[i]
		switch {
		case c == '\\' && quote[0] == '"':
			i++
		case bytes.HasPrefix(p.src[i:], []byte(quote)):
			for long && i+3 < len(p.src) && p.src[i+3] == quote[0] {
				i++ // of five quotes in a row the first two are text
			}
			v.text, err = unquoteTOML(string(p.src[start:i]), quote)
			p.at = i + len(quote)
			v.to = p.at
			return v, err
		case c < ' ' && c != '\t' && !(long && (c == '\n' || c == '\r')) || c == 0x7f:
			return v, errors.New("a text without an end, or a control character in it")
		}
	}
	return v, errors.New("a text without an end")
}

// unquoteTOML resolves what is between quotes.
func unquoteTOML(s, quote string) (string, error) {
	if len(quote) == 3 {
		s = strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n")
	}
	if quote[0] == '\'' {
		return s, nil
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return b.String() + s, nil
		}
		b.WriteString(s[:i])
		text, n, err := escapeTOML(s[i+1:], len(quote) == 3)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		s = s[i+1+n:]
	}
}

// escapeTOML is what stands behind a backslash, and how long that is.
func escapeTOML(s string, long bool) (text string, n int, err error) {
	bad := errors.New("a text with a bad escape")
	if s == "" {
		return "", 0, bad
	}
	if i := strings.IndexByte("btnfre\"\\", s[0]); i >= 0 {
		return "\b\t\n\f\r\x1b\"\\"[i : i+1], 1, nil
	}
	if digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]; digits > 0 && len(s) > digits {
		c, err := strconv.ParseUint(s[1:1+digits], 16, 32)
		if err != nil || !utf8.ValidRune(rune(c)) {
			return "", 0, bad
		}
		return string(rune(c)), 1 + digits, nil
	}
	if rest := strings.TrimLeft(s, " \t"); long && (strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n")) {
		return "", len(s) - len(strings.TrimLeft(s, " \t\r\n")), nil
	}
	return "", 0, bad
}
