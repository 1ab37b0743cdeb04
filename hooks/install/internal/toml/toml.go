// Package toml reads TOML and says where each statement and value stands. It is not
// pelletier/go-toml/v2/unstable, which tells of neither headers nor lists where they stand,
// refuses a byte order mark, and may change with any version.
package toml

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-sage/git-sage/hooks/install/internal/edit"
)

// deepest is how deep values may be nested.
const deepest = 500

// A Statement of a TOML file is a header, or a key with its value, and where it stands.
type Statement struct {
	Kind     byte     // '[' of a table, 'a' of one in a list of tables, or '='
	Key      []string // in full, with that of its table
	From, To int      // without the comment behind it
	Value    Value
}

// A Value is a value and where it stands.
type Value struct {
	Kind     byte // '"', '[', '{', or '0' for any other
	From, To int
	Text     string // of a '"'
	Items    []Value
	Members  []Statement // of a '{', with keys that begin there
}

// parser reads TOML 1.0, and of 1.1 line breaks in inline tables. It knows where
// things stand; whether a key is given twice is for the file's owner to find out.
type parser struct {
	src   []byte
	at    int
	depth int
}

// Parse reads the statements of a file. The error has the line.
func Parse(src []byte) (list []Statement, err error) {
	p := &parser{src: src}
	if !utf8.Valid(src) {
		return nil, errors.New("not valid TOML: not UTF-8")
	}
	if bytes.HasPrefix(src, edit.BOM) {
		p.at = len(edit.BOM)
	}
	var table []string
	for err == nil {
		if err = p.skip(true); err != nil || p.at == len(src) {
			break
		}
		var s Statement
		if s, err = p.statement(table); err == nil {
			if s.Kind != '=' {
				table = s.Key
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

func (p *parser) has(prefix string) bool { return bytes.HasPrefix(p.src[p.at:], []byte(prefix)) }

func (p *parser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// skip passes blanks, and with lines also line breaks and comments.
func (p *parser) skip(lines bool) error {
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
func (p *parser) comment() {
	for p.at < len(p.src) && p.src[p.at] != '\n' && !p.has("\r\n") {
		p.at++
	}
}

// lineEnd wants nothing but a comment on the rest of a line.
func (p *parser) lineEnd() error {
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

func (p *parser) statement(table []string) (s Statement, err error) {
	s = Statement{Kind: p.peek(), From: p.at}
	if s.Kind != '[' {
		return p.pair(table)
	}
	closing := "]"
	if p.has("[[") {
		s.Kind, closing = 'a', "]]"
	}
	p.at += len(closing)
	if s.Key, err = p.key(nil); err != nil {
		return s, err
	}
	if !p.has(closing) {
		return s, fmt.Errorf("'%s' expected", closing)
	}
	p.at += len(closing)
	s.To = p.at
	return s, nil
}

// pair reads a key and its value.
func (p *parser) pair(table []string) (s Statement, err error) {
	s = Statement{Kind: '=', From: p.at}
	if s.Key, err = p.key(table); err != nil {
		return s, err
	}
	if p.peek() != '=' {
		return s, errors.New("'=' expected")
	}
	p.at++
	if err = p.skip(false); err == nil {
		s.Value, err = p.value()
	}
	s.To = p.at
	return s, err
}

// key reads names with dots between, and the blanks behind them.
func (p *parser) key(table []string) (key []string, err error) {
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

func (p *parser) name() (string, error) {
	if c := p.peek(); (c == '"' || c == '\'') && !p.has(`"""`) && !p.has(`'''`) {
		v, err := p.text()
		return v.Text, err
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

func (p *parser) value() (v Value, err error) {
	if p.depth++; p.depth > deepest {
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
func (p *parser) collection() (v Value, err error) {
	v = Value{Kind: p.peek(), From: p.at}
	for comma := true; ; {
		p.at++ // the bracket, or a comma
		if err = p.skip(true); err != nil {
			return v, err
		}
		if p.peek() == v.Kind+2 { // '[' and ']', '{' and '}' are two apart
			p.at++
			v.To = p.at
			return v, nil
		}
		if !comma {
			return v, fmt.Errorf("',' or '%c' expected", v.Kind+2)
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

func (p *parser) item(v *Value) error {
	if v.Kind == '{' {
		m, err := p.pair(nil)
		v.Members = append(v.Members, m)
		return err
	}
	one, err := p.value()
	v.Items = append(v.Items, one)
	return err
}

// plainValue is a number, date, time, or truth.
var plainValue = sync.OnceValue(func() *regexp.Regexp {
	const clock = `\d\d:\d\d(:\d\d(\.\d+)?)?`
	return regexp.MustCompile(`^([+-]?(inf|nan|\d[\d_]*(\.[\d_]+)?([eE][+-]?[\d_]+)?)|0(x[\da-fA-F_]+|o[0-7_]+|b[01_]+)|true|false|` +
		`\d{4}-\d\d-\d\d([Tt ]` + clock + `([Zz]|[+-]\d\d:\d\d)?)?|` + clock + `)$`)
})

func (p *parser) plain() (Value, error) {
	from := p.at
	for p.at < len(p.src) && !bytes.ContainsRune([]byte(",]}#\n"), rune(p.src[p.at])) && !p.has("\r\n") {
		p.at++
	}
	p.at = from + len(bytes.TrimRight(p.src[from:p.at], " \t"))
	if !plainValue().Match(p.src[from:p.at]) {
		p.at = from
		return Value{}, errors.New("a value expected")
	}
	return Value{Kind: '0', From: from, To: p.at}, nil
}

// text reads a text of any of the four kinds.
func (p *parser) text() (v Value, err error) {
	v = Value{Kind: '"', From: p.at}
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
			v.Text, err = unquote(string(p.src[start:i]), quote)
			p.at = i + len(quote)
			v.To = p.at
			return v, err
		case c < ' ' && c != '\t' && !(long && (c == '\n' || c == '\r')) || c == 0x7f:
			return v, errors.New("a text without an end, or a control character in it")
		}
	}
	return v, errors.New("a text without an end")
}

// unquote resolves what is between quotes.
func unquote(s, quote string) (string, error) {
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
		text, n, err := escape(s[i+1:], len(quote) == 3)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		s = s[i+1+n:]
	}
}

// escape is what stands behind a backslash, and how long that is.
func escape(s string, long bool) (text string, n int, err error) {
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
