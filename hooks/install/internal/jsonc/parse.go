// Package jsonc reads JSON as people write it in settings, with comments and commas before
// closing brackets, says where each value stands, and inserts and removes items as splices,
// so that layout and comments around them stay. It is not tailscale/hujson, which overflows the
// stack on a project's file of a million brackets, and takes text that is not UTF-8.
package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/git-sage/git-sage/hooks/install/internal/edit"
)

// maxDepth is how deep values may be nested.
const maxDepth = 500

// parser reads JSON as people write it in settings: with comments, commas
// before a closing bracket, and a byte order mark.
type parser struct {
	src   []byte
	at    int
	depth int
}

// Parse reads a file whose root is an object. The error has line and column.
func Parse(src []byte) (*Node, error) {
	if !utf8.Valid(src) { // RFC 8259, 8.1: what is read of it could not be written back
		return nil, errors.New("not valid JSON: not UTF-8")
	}
	p := &parser{src: src}
	if bytes.HasPrefix(src, edit.BOM) {
		p.at = len(edit.BOM)
	}
	n, err := p.root()
	if err != nil {
		before := src[:min(p.at, len(src))]
		line := bytes.Count(before, []byte("\n"))
		column := len(bytes.TrimPrefix(before, edit.BOM)) - bytes.LastIndexByte(bytes.TrimPrefix(before, edit.BOM), '\n')
		return nil, fmt.Errorf("not valid JSON at line %d, column %d: %w", line+1, column, err)
	}
	return n, nil
}

func (p *parser) root() (*Node, error) {
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

func (p *parser) value() (*Node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errors.New("nested too deep")
	}
	defer func() { p.depth-- }()
	n := &Node{Kind: p.peek(), From: p.at}
	var err error
	switch n.Kind {
	case '{', '[':
		err = p.items(n)
	case '"':
		_, err = p.str()
	default:
		n.Kind = '0'
		err = p.literal()
	}
	n.To = p.at
	return n, err
}

func (p *parser) items(n *Node) error {
	closing := n.Kind + 2 // '{' and '}', '[' and ']' are two apart
	p.at++
	for {
		if err := p.skip(); err != nil {
			return err
		}
		if p.peek() == closing {
			p.at++
			return nil
		}
		if k := len(n.Items); k > 0 && n.Items[k-1].comma < 0 {
			return fmt.Errorf("',' or '%c' expected", closing)
		}
		it, err := p.item(n.Kind == '{')
		if err != nil {
			return err
		}
		n.Items = append(n.Items, it)
	}
}

func (p *parser) item(member bool) (it Item, err error) {
	it = Item{from: p.at, comma: -1}
	if member {
		if it.Key, err = p.key(); err != nil {
			return it, err
		}
	}
	if it.Value, err = p.value(); err != nil {
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
