package jsonc

import "encoding/json"

// A Node is a JSON value and where it stands.
type Node struct {
	Kind     byte // '{', '[', '"', or '0' for any other
	From, To int
	Items    []Item
}

// An Item is a member of an object or an element of an array.
type Item struct {
	Key   string
	from  int // of the key, or of the value in an array
	Value *Node
	comma int // where the comma behind it is, -1 if there is none
}

// Get returns the last member of that name, as JSON readers do; nil if n is no
// object or has none.
func (n *Node) Get(key string) *Node {
	if i := n.Find(key); i >= 0 {
		return n.Items[i].Value
	}
	return nil
}

// Find is the place among the items of the last member of that name, -1 for none.
func (n *Node) Find(key string) int {
	if n == nil || n.Kind != '{' {
		return -1
	}
	for i := len(n.Items) - 1; i >= 0; i-- {
		if n.Items[i].Key == key {
			return i
		}
	}
	return -1
}

// Text is the value of a string, "" if n is none.
func (n *Node) Text(src []byte) (s string) {
	if n != nil && n.Kind == '"' {
		_ = json.Unmarshal(src[n.From:n.To], &s)
	}
	return s
}

// Texts are the strings of an array.
func (n *Node) Texts(src []byte) (list []string) {
	if n != nil && n.Kind == '[' {
		for _, it := range n.Items {
			list = append(list, it.Value.Text(src))
		}
	}
	return list
}

// IsTrue says whether a value is true.
func (n *Node) IsTrue(src []byte) bool { return n != nil && string(src[n.From:n.To]) == "true" }
