package redact

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/redact/internal/assign"
	"github.com/git-sage/git-sage/gitstore/redact/internal/keys"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Checkpoint takes the secrets out of every text of c, keys of its fields
// included. A value of Fields, DomainData or Extra is judged with its key. After
// an error c must not be written: a part of it may still hold secrets.
func (r *Redactor) Checkpoint(c *sage.Checkpoint) (all []Finding, err error) {
	defer func() {
		if p := recover(); p != nil {
			all, err = nil, internalError(p)
		}
	}()
	c.Fields = keyedMap(c.Fields, &all)
	c.DomainData = keyedMap(c.DomainData, &all)
	found, err := r.mapped(c, c.Extra)
	if err != nil {
		return nil, err
	}
	return Merge(all, found), nil
}

func internalError(p any) error { return fmt.Errorf("redact: internal error (%T)", p) }

func keyedMap(m map[string]any, all *[]Finding) map[string]any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = keyed(k, v, all)
	}
	return out
}

// keyed returns v, or a placeholder if what stands under this key is a secret.
func keyed(key string, v any, all *[]Finding) any {
	switch v := v.(type) {
	case map[string]any:
		return keyedMap(v, all)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = keyed(key, x, all)
		}
		return out
	case []sage.Entry:
		out := make([]sage.Entry, len(v))
		for i, e := range v {
			out[i] = sage.Entry{Key: e.Key, Value: keyed(e.Key, e.Value, all)}
		}
		return out
	case string, int, int64, float64:
		return keyedScalar(key, v, all)
	}
	return v
}

func keyedScalar(key string, v any, all *[]Finding) any {
	a := assign.Assignment{Key: key, Grade: keys.GradeKey(key), Sep: '=', Quote: '"', First: true}
	text, isText := v.(string)
	if !isText {
		text = fmt.Sprint(v)
	}
	if a.Grade == keys.None || !isText && a.Grade != keys.Strong || !a.Secret(text) {
		return v
	}
	*all = count(*all, a.Rule(), 1)
	return spans.PlaceholderStart + a.Rule() + "]"
}
