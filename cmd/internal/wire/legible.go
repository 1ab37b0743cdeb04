package wire

import (
	"bytes"
	"encoding/json"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Legible is an object in whose JSON every text is as people are to see it.
type Legible struct{ Of any }

// MarshalJSON writes the object by its JSON, so that what a type says of itself holds.
func (l Legible) MarshalJSON() ([]byte, error) {
	b, err := json.Marshal(l.Of)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(visible(v))
}

func visible(v any) any {
	switch v := v.(type) {
	case string:
		return legible.Visible(v)
	case []any:
		for i := range v {
			v[i] = visible(v[i])
		}
	case map[string]any:
		for k, x := range v {
			if seen := legible.Visible(k); seen != k {
				delete(v, k)
				k = seen
			}
			v[k] = visible(x)
		}
	}
	return v
}
