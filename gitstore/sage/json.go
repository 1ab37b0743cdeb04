package sage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// readJSON reads one JSON value. Keys that come twice are errors.
func readJSON(b []byte) (*node, error) {
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

func fromJSON(dec *json.Decoder, depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		return fromJSONGroup(dec, t, depth)
	case string:
		return &node{text: t}, nil
	case json.Number:
		return &node{text: canonicalNumber(t), plain: true}, nil
	case bool:
		return &node{text: strconv.FormatBool(t), plain: true}, nil
	}
	return &node{text: "null", plain: true}, nil
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

func fromJSONGroup(dec *json.Decoder, open json.Delim, depth int) (*node, error) {
	n := &node{kind: listNode}
	if open == '{' {
		n.kind = mapNode
	}
	seen := map[string]bool{}
	for dec.More() {
		if n.kind == mapNode {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name := key.(string)
			if seen[name] {
				return nil, fmt.Errorf("key '%s' is given twice", Visible(name))
			}
			seen[name] = true
			n.keys = append(n.keys, name)
		}
		v, err := fromJSON(dec, depth+1)
		if err != nil {
			return nil, err
		}
		n.vals = append(n.vals, v)
	}
	_, err := dec.Token()
	return n, err
}
