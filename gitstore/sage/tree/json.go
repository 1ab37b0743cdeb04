package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// ReadJSON reads one JSON value. Keys that come twice are errors.
func ReadJSON(b []byte) (*Node, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	n, err := fromJSON(dec, 0)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.New("json: the text ends before the value does: a '}', ']' or quote is missing")
	}
	if err != nil {
		return nil, fmt.Errorf("json: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("json: text after the end of the value")
	}
	return n, nil
}

func fromJSON(dec *json.Decoder, depth int) (*Node, error) {
	if depth > MaxDepth {
		return nil, fmt.Errorf("nested more than %d deep", MaxDepth)
	}
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		return fromJSONGroup(dec, t, depth)
	case string:
		return &Node{Text: t}, nil
	case json.Number:
		return &Node{Text: canonicalNumber(t), Plain: true}, nil
	case bool:
		return &Node{Text: strconv.FormatBool(t), Plain: true}, nil
	}
	return &Node{Text: "null", Plain: true}, nil
}

// canonicalNumber prints n as guess reads it: a JSON number is never a name.
func canonicalNumber(n json.Number) string {
	if i, err := n.Int64(); err == nil {
		return strconv.FormatInt(i, 10)
	}
	f, err := n.Float64()
	if err != nil {
		return n.String()
	}
	return formatFloat(f)
}

func fromJSONGroup(dec *json.Decoder, open json.Delim, depth int) (*Node, error) {
	n := &Node{Kind: ListNode}
	if open == '{' {
		n.Kind = MapNode
	}
	seen := map[string]bool{}
	for dec.More() {
		if n.Kind == MapNode {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name := key.(string)
			if seen[name] {
				return nil, fmt.Errorf("key '%s' is given twice", legible.Visible(name))
			}
			seen[name] = true
			n.Keys = append(n.Keys, name)
		}
		v, err := fromJSON(dec, depth+1)
		if err != nil {
			return nil, err
		}
		n.Vals = append(n.Vals, v)
	}
	_, err := dec.Token()
	return n, err
}
