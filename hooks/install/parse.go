package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

const (
	maxFile  = 64 << 20
	maxDepth = 500
)

// A node is a JSON value and where it stands.
type node struct {
	kind     byte // '{', '[', '"', or '0' for any other
	from, to int
	items    []item
}

// An item is a member of an object or an element of an array.
type item struct {
	key   string
	from  int // of the key, or of the value in an array
	val   *node
	comma int // where the comma behind it is, -1 if there is none
}

// parser reads JSON as people write it in settings: with comments, commas
// before a closing bracket, and a byte order mark.
type parser struct {
	src   []byte
	at    int
	depth int
}

var bom = []byte("\ufeff")

// parse reads a file whose root is an object. The error has line and column.
func parse(src []byte) (*node, error) {
	if !utf8.Valid(src) { // RFC 8259, 8.1: what is read of it could not be written back
		return nil, errors.New("not valid JSON: not UTF-8")
	}
	p := &parser{src: src}
	if bytes.HasPrefix(src, bom) {
		p.at = len(bom)
	}
	n, err := p.root()
	if err != nil {
		before := src[:min(p.at, len(src))]
		line := bytes.Count(before, []byte("\n"))
		column := len(bytes.TrimPrefix(before, bom)) - bytes.LastIndexByte(bytes.TrimPrefix(before, bom), '\n')
		return nil, fmt.Errorf("not valid JSON at line %d, column %d: %w", line+1, column, err)
	}
	return n, nil
}

func (p *parser) root() (*node, error) {
	if err := p.skip(); err != nil {
		return nil, err
	}
	if p.peek() != '{' {
		return nil, errors.New("an object must begin here")
	}
	n, err := p.value()
	if err == nil {
		err = p.skip()
	}
	if err == nil && p.at < len(p.src) {
		err = errors.New("text after the object")
	}
	return n, err
}

func (p *parser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

// skip passes white space and comments.
func (p *parser) skip() error {
	for p.at < len(p.src) {
		if n := commentLen(p.src[p.at:]); n > 0 {
			p.at += n
		} else if n < 0 {
			return errors.New("a comment without an end")
		} else if bytes.IndexByte([]byte(" \t\r\n"), p.src[p.at]) < 0 {
			return nil
		} else {
			p.at++
		}
	}
	return nil
}

// commentLen is the length of the comment that b begins with, without the line
// break behind it; 0 if it begins with none, -1 if the comment has no end.
func commentLen(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("//")):
		if i := bytes.IndexAny(b, "\r\n"); i >= 0 {
			return i
		}
		return len(b)
	case bytes.HasPrefix(b, []byte("/*")):
		if i := bytes.Index(b[2:], []byte("*/")); i >= 0 {
			return i + 4
		}
		return -1
	}
	return 0
}

func (p *parser) value() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errors.New("nested too deep")
	}
	defer func() { p.depth-- }()
	n := &node{kind: p.peek(), from: p.at}
	var err error
	switch n.kind {
	case '{', '[':
		err = p.items(n)
	case '"':
		_, err = p.str()
	default:
		n.kind = '0'
		err = p.literal()
	}
	n.to = p.at
	return n, err
}

func (p *parser) items(n *node) error {
	closing := n.kind + 2 // '{' and '}', '[' and ']' are two apart
	p.at++
	for {
		if err := p.skip(); err != nil {
			return err
		}
		if p.peek() == closing {
			p.at++
			return nil
		}
		if k := len(n.items); k > 0 && n.items[k-1].comma < 0 {
			return fmt.Errorf("',' or '%c' expected", closing)
		}
		it, err := p.item(n.kind == '{')
		if err != nil {
			return err
		}
		n.items = append(n.items, it)
	}
}

func (p *parser) item(member bool) (it item, err error) {
	it = item{from: p.at, comma: -1}
	if member {
		if it.key, err = p.key(); err != nil {
			return it, err
		}
	}
	if it.val, err = p.value(); err != nil {
		return it, err
	}
	if err = p.skip(); err == nil && p.peek() == ',' {
		it.comma = p.at
		p.at++
	}
	return it, err
}

func (p *parser) key() (key string, err error) {
	if p.peek() != '"' {
		return "", errors.New("a name in double quotes expected")
	}
	if key, err = p.str(); err != nil {
		return "", err
	}
	if err = p.skip(); err != nil {
		return "", err
	}
	if p.peek() != ':' {
		return "", errors.New("':' expected")
	}
	p.at++
	return key, p.skip()
}

func (p *parser) str() (s string, err error) {
	from := p.at
	for i := from + 1; i < len(p.src) && p.src[i] >= ' '; i++ {
		if p.src[i] == '\\' {
			i++
		} else if p.src[i] == '"' {
			if json.Unmarshal(p.src[from:i+1], &s) != nil {
				return "", errors.New("a text with a bad escape")
			}
			p.at = i + 1
			return s, nil
		}
	}
	return "", errors.New("a text without an end")
}

func (p *parser) literal() error {
	from := p.at
	for p.at < len(p.src) && bytes.IndexByte([]byte(" \t\r\n,:]}{[\"/"), p.src[p.at]) < 0 {
		p.at++
	}
	if json.Valid(p.src[from:p.at]) {
		return nil
	}
	p.at = from
	return errors.New("a value expected")
}

// get returns the last member of that name, as JSON readers do; nil if n is no
// object or has none.
func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.items[i].val
	}
	return nil
}

func (n *node) find(key string) int {
	if n == nil || n.kind != '{' {
		return -1
	}
	for i := len(n.items) - 1; i >= 0; i-- {
		if n.items[i].key == key {
			return i
		}
	}
	return -1
}

// text is the value of a string, "" if n is none.
func (n *node) text(src []byte) (s string) {
	if n != nil && n.kind == '"' {
		_ = json.Unmarshal(src[n.from:n.to], &s)
	}
	return s
}

// texts are the strings of an array.
func (n *node) texts(src []byte) (list []string) {
	if n != nil && n.kind == '[' {
		for _, it := range n.items {
			list = append(list, it.val.text(src))
		}
	}
	return list
}
