package jsonc

import (
	"bytes"
	"encoding/json"
	"strings"
)

// An Object is one to be written, in the order of its members.
type Object []Member

// A Member of an object to be written has an Object, []any, string, int or bool for value, or a
// json.RawMessage, which is written as it is.
type Member struct {
	Key   string
	Value any
}

// Quote writes a text as JSON.stringify does: no escapes for HTML.
func Quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

// List is a member that is a list; nil if there is none.
func (o Object) List(key string) []any {
	for _, m := range o {
		if l, ok := m.Value.([]any); ok && m.Key == key {
			return l
		}
	}
	return nil
}
