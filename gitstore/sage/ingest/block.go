package ingest

import (
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// A block is a checkpoint inside a longer text.
type block struct {
	at     int // where it begins in the text
	attrs  string
	text   string
	closed bool
}

// findBlock returns the last complete block of text, an incomplete one if no
// other is there, or nil.
func findBlock(text string) *block {
	var best *block
	for _, b := range append(fences(text), tags(text)...) {
		if best == nil || b.closed && !best.closed || b.closed == best.closed && b.at > best.at {
			best = &b
		}
	}
	return best
}

func parseBlock(b *block) (*sage.Checkpoint, error) {
	if !b.closed {
		return nil, errors.New("the checkpoint block is not closed")
	}
	text := dedent(b.text)
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "---\n") || hasHeading(text) {
		return parseMarkdown(trimmed)
	}
	n, err := tree.ReadYAML([]byte(text))
	if strings.HasPrefix(trimmed, "{") {
		n, err = tree.ReadJSON([]byte(trimmed))
	}
	if err != nil {
		return nil, err
	}
	return parseTree(withAttributes(n, b.attrs), nil)
}

var attribute = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([A-Za-z_][\w-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')`) })

// withAttributes adds the attributes of a tag to n; a field inside the block
// counts more.
func withAttributes(n *tree.Node, attrs string) *tree.Node {
	inner := n
	if n.Kind == tree.MapNode && len(n.Keys) == 1 && n.Keys[0] == "checkpoint" {
		inner = n.Vals[0]
	}
	for _, m := range attribute().FindAllStringSubmatch(attrs, -1) {
		if inner.Kind == tree.MapNode && inner.Get(m[1]) == nil {
			inner.Add(m[1], &tree.Node{Text: m[2] + m[3], Plain: true})
		}
	}
	return n
}

var fenceLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^([ \t]*)(`{3,}|~{3,})[ \t]*([^\n]*)$") })

// fences finds the fenced blocks whose first info word is checkpoint. One that
// stands inside another fence is an example and does not count.
func fences(text string) []block {
	var out []block
	var open string // the fence that is open
	at, offset := -1, 0
	for line := range strings.Lines(text) {
		m := fenceLine().FindStringSubmatch(strings.TrimRight(line, "\n"))
		switch {
		case m == nil:
		case open == "":
			open, at = m[2], -1
			if word, attrs, _ := strings.Cut(m[3], " "); word == "checkpoint" {
				at = offset + len(line)
				out = append(out, block{at: at, attrs: attrs})
			}
		case strings.HasPrefix(m[2], open) && m[3] == "":
			if at >= 0 {
				last := &out[len(out)-1]
				last.text, last.closed = text[at:offset], true
			}
			open = ""
		}
		offset += len(line)
	}
	return out
}

var (
	openTag  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<checkpoint((?:\s[^<>]*)?)>`) })
	closeTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`</checkpoint\s*>`) })
)

// tags finds the text between each closing tag and the last opening one before
// it, if it has more than one line: prose about the tags names them on one.
func tags(text string) []block {
	opens, from := openTag().FindAllStringSubmatchIndex(text, -1), 0
	var out []block
	for _, c := range closeTag().FindAllStringIndex(text, -1) {
		var open []int
		for ; from < len(opens) && opens[from][1] <= c[0]; from++ {
			open = opens[from]
		}
		if open != nil && strings.Contains(text[open[1]:c[0]], "\n") {
			out = append(out, block{open[1], text[open[2]:open[3]], text[open[1]:c[0]], true})
		}
	}
	if from < len(opens) && strings.HasPrefix(text[opens[from][1]:], "\n") {
		out = append(out, block{at: opens[from][1]})
	}
	return out
}

// dedent drops the indentation that all lines share.
func dedent(s string) string {
	indent, first := "", true
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		space := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if first {
			indent, first = space, false
		}
		for !strings.HasPrefix(space, indent) {
			indent = indent[:len(indent)-1]
		}
	}
	return legible.EachLine(s, 0, func(line string) string { return strings.TrimPrefix(line, indent) })
}
