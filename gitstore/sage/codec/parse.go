package codec

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/prose/cut"
)

// MaxSize is the size of the largest checkpoint, in bytes.
const MaxSize = 10 << 20

// Parse reads a stored or exported checkpoint. It is lenient with words it
// does not know and with Markdown that was edited by hand, and strict with
// what it could only guess: text before the first heading, front matter that
// does not end, keys that come twice, values of the wrong type.
func Parse(b []byte) (*sage.Checkpoint, error) {
	text, err := Readable(b)
	if err != nil {
		return nil, err
	}
	head, body, ok := SplitFrontMatter(text)
	if !ok {
		return nil, errors.New("no front matter: want a line '---', YAML, and another line '---'")
	}
	n, err := ReadFrontMatter(head)
	if err != nil {
		return nil, err
	}
	return Assemble(n, body, &Reader{}, &BodyParser{})
}

// ParseBeginning is Parse of a text of which no more than most bytes of the front matter
// and as many of the body are wanted: keys and lines that do not fit as a whole are left
// out. A text of up to most bytes is read as a whole.
func ParseBeginning(b []byte, most int) (*sage.Checkpoint, error) {
	if len(b) <= most {
		return Parse(b)
	}
	text, err := Readable(b)
	if err != nil {
		return nil, err
	}
	head, body, ok := SplitFrontMatter(text)
	if !ok {
		return Parse(b) // which says what is wrong
	}
	var n *tree.Node
	if len(head) <= most {
		if n, err = ReadFrontMatter(head); err != nil {
			return nil, err
		}
	} else if n, err = ReadFrontMatter(firstKeys(head, most)); err != nil { // a value that goes on where a key could begin
		n = &tree.Node{Kind: tree.MapNode}
	}
	if len(body) > most {
		body = cut.Bytes(body, most)
		if end := strings.LastIndexByte(body, '\n'); end > 0 {
			body = body[:end]
		}
	}
	return Assemble(n, body, &Reader{}, &BodyParser{})
}

// firstKeys is front matter with those of its first keys that stand in most bytes with
// their values.
func firstKeys(head string, most int) string {
	end, at := 0, 0
	for line := range strings.Lines(head[:most]) {
		if c := line[0] | 0x20; 'a' <= c && c <= 'z' {
			end = at
		}
		at += len(line)
	}
	return "---\n" + strings.TrimPrefix(head[:end], "---\n") + "---\n"
}

// Assemble makes a checkpoint of front matter and body.
func Assemble(n *tree.Node, body string, r *Reader, p *BodyParser) (*sage.Checkpoint, error) {
	c := &sage.Checkpoint{}
	FromHead(c, n, r)
	if err := r.Err(); err != nil {
		return nil, err
	}
	if err := p.parse(c, body); err != nil {
		return nil, err
	}
	return c, nil
}

// FromHead reads the mapping n, which need not hold a body, into c.
func FromHead(c *sage.Checkpoint, n *tree.Node, r *Reader) {
	if n.Kind != tree.MapNode {
		r.want(n, "front matter", "a mapping")
		return
	}
	if t := n.Remove("type"); t != nil && t.Text != "checkpoint" {
		r.want(t, "type", "'checkpoint'")
	}
	r.mapping(n, "", append(c.Header(), c.Others()...))
	c.Extra = r.extra
}

// Readable checks that b is text of a sane size, and returns it without byte
// order mark and with the line ends of Unix.
func Readable(b []byte) (string, error) {
	switch {
	case len(b) > MaxSize:
		return "", fmt.Errorf("%d bytes exceed the limit of %d", len(b), MaxSize)
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return "", errors.New("text is UTF-16: want UTF-8")
	case !utf8.Valid(b):
		return "", errors.New("text is not UTF-8")
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return "", fmt.Errorf("line %d: NUL byte in the text", 1+bytes.Count(b[:i], []byte("\n")))
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n"), nil
}

// SplitFrontMatter cuts text after the line that ends its front matter.
func SplitFrontMatter(text string) (head, body string, ok bool) {
	if !strings.HasPrefix(text, "---\n") {
		return "", text, false
	}
	end := strings.Index(text[3:], "\n---\n")
	if end < 0 {
		if !strings.HasSuffix(text[3:], "\n---") {
			return "", text, false
		}
		return text, "", true
	}
	at := 3 + end + len("\n---\n")
	return text[:at], text[at:], true
}

// ReadFrontMatter reads the lines between the first ---, and the last.
func ReadFrontMatter(head string) (*tree.Node, error) {
	inner := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(head, "---\n"), "\n"), "---")
	n, err := tree.ReadYAML([]byte(inner))
	if err != nil {
		return nil, fmt.Errorf("front matter: %w", err)
	}
	return n, nil
}
