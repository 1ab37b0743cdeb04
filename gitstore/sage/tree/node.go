package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

var SpecialFloats = sync.OnceValue(func() map[string]float64 {
	return map[string]float64{".nan": math.NaN(), ".inf": math.Inf(1), "-.inf": math.Inf(-1)}
})

// MaxDepth bounds how deep values nest: deeper ones are no checkpoint.
const MaxDepth = 64

type Kind int

const (
	ScalarNode Kind = iota
	ListNode
	MapNode
)

// A Node is what YAML and JSON have in common, before anything is guessed
// about types: scalars are text.
type Node struct {
	Kind  Kind
	Text  string   // of a scalar
	Plain bool     // of a scalar: it had no quotes, so it may be a number, a bool or null
	Keys  []string // of a mapping, in order
	Vals  []*Node  // of a list or mapping
}

func (n *Node) String() string {
	switch {
	case n.Kind == ListNode:
		return "a list"
	case n.Kind == MapNode:
		return "a mapping"
	case n.IsNull():
		return "nothing"
	}
	return "'" + legible.Visible(cut.Runes(n.Text, 40)) + "'"
}

func (n *Node) IsNull() bool {
	return n.Kind == ScalarNode && n.Plain && (n.Text == "" || n.Text == "~" || n.Text == "null")
}

// Get returns the value of key in a mapping, or nil.
func (n *Node) Get(key string) *Node {
	if i := slices.Index(n.Keys, key); n.Kind == MapNode && i >= 0 {
		return n.Vals[i]
	}
	return nil
}

func (n *Node) Add(key string, v *Node) {
	n.Keys, n.Vals = append(n.Keys, key), append(n.Vals, v)
}

// Remove takes key out of a mapping, and returns its value or nil.
func (n *Node) Remove(key string) *Node {
	v := n.Get(key)
	if v != nil {
		i := slices.Index(n.Keys, key)
		n.Keys, n.Vals = slices.Delete(n.Keys, i, i+1), slices.Delete(n.Vals, i, i+1)
	}
	return v
}

// Value guesses types as YAML 1.2 does, but keeps the text of a number that we
// would print in another way: 0123456, 0x1f and 1.10 are rather names than
// numbers, as are dates.
func (n *Node) Value() any {
	switch n.Kind {
	case ListNode:
		out := make([]any, 0, len(n.Vals))
		for _, v := range n.Vals {
			out = append(out, v.Value())
		}
		return out
	case MapNode:
		out := make(map[string]any, len(n.Keys))
		for i, k := range n.Keys {
			out[k] = n.Vals[i].Value()
		}
		return out
	}
	if !n.Plain {
		return n.Text
	}
	return guess(n.Text)
}

func guess(s string) any {
	switch s {
	case "", "~", "null":
		return nil
	case "true", "false":
		return s == "true"
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil && strconv.FormatInt(i, 10) == s {
		return i
	}
	if f, ok := SpecialFloats()[s]; ok {
		return f
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && formatFloat(f) == s {
		return f
	}
	return s
}

// ReadYAML reads one YAML document. Aliases, foreign tags, keys that come
// twice and a second document are errors.
func ReadYAML(b []byte) (*Node, error) {
	if n, ok := readSimple(b); ok {
		return n, nil
	}
	return readYAML(b)
}

func readYAML(b []byte) (*Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return &Node{Kind: MapNode}, nil
	} else if err != nil {
		return nil, yamlError(err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("yaml: more than one document")
	}
	if len(doc.Content) != 1 {
		return nil, errors.New("yaml: no document")
	}
	return fromYAML(doc.Content[0], 0)
}

// inBrackets is what the library says of a text in [ ] or { } that it cannot
// read, such as [why?], with the line before.
var inBrackets = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`line (\d+): (did not find expected ',' or '[\]}]')$`)
})

// yamlError says what to do about the most common mistake: a question in a list
// in brackets.
func yamlError(err error) error {
	m := inBrackets().FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	n, _ := strconv.Atoi(m[1])
	return fmt.Errorf("yaml: line %d: %s: quote texts that contain ? : # or ,", n+1, m[2])
}

func fromYAML(y *yaml.Node, depth int) (*Node, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("yaml: line %d: nested more than %d deep", y.Line, MaxDepth)
	}
	if y.Style&yaml.TaggedStyle != 0 && !slices.Contains(coreTags, y.ShortTag()) {
		return nil, fmt.Errorf("yaml: line %d: tag %s is not supported", y.Line, legible.Visible(y.Tag))
	}
	switch y.Kind {
	case yaml.ScalarNode:
		quoted := y.Style & (yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle)
		text := y.Style&yaml.TaggedStyle != 0 && y.ShortTag() == "!!str"
		return &Node{Text: y.Value, Plain: quoted == 0 && !text}, nil
	case yaml.SequenceNode:
		return fromYAMLList(y, depth)
	case yaml.MappingNode:
		return fromYAMLMap(y, depth)
	}
	return nil, fmt.Errorf("yaml: line %d: aliases are not supported", y.Line)
}

var coreTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq"}

func fromYAMLList(y *yaml.Node, depth int) (*Node, error) {
	n := &Node{Kind: ListNode}
	for _, c := range y.Content {
		v, err := fromYAML(c, depth+1)
		if err != nil {
			return nil, err
		}
		n.Vals = append(n.Vals, v)
	}
	return n, nil
}

func fromYAMLMap(y *yaml.Node, depth int) (*Node, error) {
	n, seen := &Node{Kind: MapNode}, make(map[string]bool, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		if key.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("yaml: line %d: a key must be text", key.Line)
		}
		if seen[key.Value] {
			return nil, fmt.Errorf("yaml: line %d: key '%s' is given twice", key.Line, legible.Visible(key.Value))
		}
		seen[key.Value] = true
		v, err := fromYAML(y.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		n.Add(key.Value, v)
	}
	return n, nil
}
