package config

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

var errByHand = errors.New("too intricate to be edited safely, edit it by hand")

// setKey returns the file with one value set. A value on the line of its key is
// replaced in place and a new key is appended, so that blank lines and comments
// stay as they are; anything else goes through the YAML library, which keeps
// comments but not the layout. Either way the result is read back and compared
// before it is believed.
func setKey(src []byte, name string, value any) ([]byte, error) {
	root, err := parseFile(src)
	if err != nil {
		return nil, err
	}
	v, err := valueNode(value)
	if err != nil {
		return nil, err
	}
	line, err := yaml.Marshal(v)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(string(line))
	want := append(others(root, name), pair(name, v)...)
	var try []byte
	if i := find(root, name); i < 0 {
		try = appendLine(src, name+": "+text)
	} else {
		try = replaceValue(src, root.Content[i], root.Content[i+1], text)
	}
	if reads(try, name, want) {
		return try, nil
	}
	for i := find(root, name); i >= 0; i = find(root, name) {
		root.Content = slices.Delete(root.Content, i, i+2)
	}
	root.Content = append(root.Content, scalar(name), v)
	return rewrite(root, name, want)
}

// removeKey returns the file without a key, and whether it was there.
func removeKey(src []byte, name string) (out []byte, found bool, err error) {
	root, err := parseFile(src)
	if err != nil {
		return nil, false, err
	}
	want := others(root, name)
	for i := find(root, name); i >= 0; i = find(root, name) {
		try := dropLine(src, root.Content[i], root.Content[i+1])
		root.Content = slices.Delete(root.Content, i, i+2)
		if !reads(try, name, append(others(root, name), present(root, name)...)) {
			if try, err = rewrite(root, name, want); err != nil {
				return nil, true, err
			}
		}
		if src, found = try, true; find(root, name) >= 0 {
			if root, err = parseFile(src); err != nil {
				return nil, true, err
			}
		}
	}
	return src, found, nil
}

// find is the place of the last of a key's settings, -1 if it has none.
func find(root *yaml.Node, name string) int {
	for i := len(root.Content) - 2; i >= 0; i -= 2 {
		if root.Content[i].Value == name {
			return i
		}
	}
	return -1
}

// pair and others make what a file says comparable: key, value, key, value.
func pair(key string, v *yaml.Node) []string {
	plain := *v
	plain.HeadComment, plain.LineComment, plain.FootComment = "", "", ""
	b, err := yaml.Marshal(&plain)
	if err != nil {
		return []string{key, "?"}
	}
	return []string{key, string(b)}
}

func others(root *yaml.Node, name string) (list []string) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if k := root.Content[i].Value; k != name {
			list = append(list, pair(k, root.Content[i+1])...)
		}
	}
	return list
}

func present(root *yaml.Node, name string) (list []string) {
	if i := find(root, name); i >= 0 {
		list = pair(name, root.Content[i+1])
	}
	return list
}

// reads says whether a file holds exactly what it should.
func reads(src []byte, name string, want []string) bool {
	root, err := parseFile(src)
	return src != nil && err == nil && slices.Equal(append(others(root, name), present(root, name)...), want)
}

func rewrite(root *yaml.Node, name string, want []string) ([]byte, error) {
	if len(root.Content) == 0 {
		return []byte{}, nil
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(root); err != nil || !reads(b.Bytes(), name, want) {
		return nil, errByHand
	}
	return b.Bytes(), nil
}

func scalar(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
}

func valueNode(v any) (*yaml.Node, error) {
	n := new(yaml.Node)
	if err := n.Encode(v); err != nil {
		return nil, err
	}
	if n.Kind == yaml.SequenceNode {
		n.Style = yaml.FlowStyle
	}
	return n, nil
}
