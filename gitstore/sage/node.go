package sage

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

	"github.com/git-sage/git-sage/prose/cut"
)

var specialFloats = sync.OnceValue(func() map[string]float64 {
	return map[string]float64{".nan": math.NaN(), ".inf": math.Inf(1), "-.inf": math.Inf(-1)}
})

// maxDepth bounds how deep values nest: deeper ones are no checkpoint.
const maxDepth = 64

type kind int

const (
	scalarNode kind = iota
	listNode
	mapNode
)

// A node is what YAML and JSON have in common, before anything is guessed
// about types: scalars are text.
type node struct {
	kind  kind
	text  string   // of a scalar
	plain bool     // of a scalar: it had no quotes, so it may be a number, a bool or null
	keys  []string // of a mapping, in order
	vals  []*node  // of a list or mapping
}

func (n *node) String() string {
	switch {
	case n.kind == listNode:
		return "a list"
	case n.kind == mapNode:
		return "a mapping"
	case n.isNull():
		return "nothing"
	}
	return "'" + Visible(cut.Runes(n.text, 40)) + "'"
}

func (n *node) isNull() bool {
	return n.kind == scalarNode && n.plain && (n.text == "" || n.text == "~" || n.text == "null")
}

// get returns the value of key in a mapping, or nil.
func (n *node) get(key string) *node {
	if i := slices.Index(n.keys, key); n.kind == mapNode && i >= 0 {
		return n.vals[i]
	}
	return nil
}

func (n *node) add(key string, v *node) {
	n.keys, n.vals = append(n.keys, key), append(n.vals, v)
}

// remove takes key out of a mapping, and returns its value or nil.
func (n *node) remove(key string) *node {
	v := n.get(key)
	if v != nil {
		i := slices.Index(n.keys, key)
		n.keys, n.vals = slices.Delete(n.keys, i, i+1), slices.Delete(n.vals, i, i+1)
	}
	return v
}

// value guesses types as YAML 1.2 does, but keeps the text of a number that we
// would print in another way: 0123456, 0x1f and 1.10 are rather names than
// numbers, as are dates.
func (n *node) value() any {
	switch n.kind {
	case listNode:
		out := make([]any, 0, len(n.vals))
		for _, v := range n.vals {
			out = append(out, v.value())
		}
		return out
	case mapNode:
		out := make(map[string]any, len(n.keys))
		for i, k := range n.keys {
			out[k] = n.vals[i].value()
		}
		return out
	}
	if !n.plain {
		return n.text
	}
	return guess(n.text)
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
	if f, ok := specialFloats()[s]; ok {
		return f
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && formatFloat(f) == s {
		return f
	}
	return s
}

// readYAML reads one YAML document. Aliases, foreign tags, keys that come
// twice and a second document are errors.
func readYAML(b []byte) (*node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(b))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return &node{kind: mapNode}, nil
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

func fromYAML(y *yaml.Node, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("yaml: line %d: nested more than %d deep", y.Line, maxDepth)
	}
	if y.Style&yaml.TaggedStyle != 0 && !slices.Contains(coreTags, y.ShortTag()) {
		return nil, fmt.Errorf("yaml: line %d: tag %s is not supported", y.Line, Visible(y.Tag))
	}
	switch y.Kind {
	case yaml.ScalarNode:
		quoted := y.Style & (yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle)
		text := y.Style&yaml.TaggedStyle != 0 && y.ShortTag() == "!!str"
		return &node{text: y.Value, plain: quoted == 0 && !text}, nil
	case yaml.SequenceNode:
		return fromYAMLList(y, depth)
	case yaml.MappingNode:
		return fromYAMLMap(y, depth)
	}
	return nil, fmt.Errorf("yaml: line %d: aliases are not supported", y.Line)
}

var coreTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq"}

func fromYAMLList(y *yaml.Node, depth int) (*node, error) {
	n := &node{kind: listNode}
	for _, c := range y.Content {
		v, err := fromYAML(c, depth+1)
		if err != nil {
			return nil, err
		}
		n.vals = append(n.vals, v)
	}
	return n, nil
}

func fromYAMLMap(y *yaml.Node, depth int) (*node, error) {
	n, seen := &node{kind: mapNode}, make(map[string]bool, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		if key.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("yaml: line %d: a key must be text", key.Line)
		}
		if seen[key.Value] {
			return nil, fmt.Errorf("yaml: line %d: key '%s' is given twice", key.Line, Visible(key.Value))
		}
		seen[key.Value] = true
		v, err := fromYAML(y.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		n.add(key.Value, v)
	}
	return n, nil
}
