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
	t := &taken{}
	c.Fields = keyedMap(c.Fields, t)
	c.DomainData = keyedMap(c.DomainData, t)
	if err := r.mapped(c, t, c.Extra); err != nil {
		return nil, err
	}
	return t.findings, nil
}

func internalError(p any) error { return fmt.Errorf("redact: internal error (%T)", p) }

func keyedMap(m map[string]any, t *taken) map[string]any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = keyed(k, v, t)
	}
	return out
}

// keyed returns v, or a placeholder if what stands under this key is a secret.
func keyed(key string, v any, t *taken) any {
	switch v := v.(type) {
	case map[string]any:
		return keyedMap(v, t)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = keyed(key, x, t)
		}
		return out
	case []sage.Entry:
		out := make([]sage.Entry, len(v))
		for i, e := range v {
			out[i] = sage.Entry{Key: e.Key, Value: keyed(e.Key, e.Value, t)}
		}
		return out
	case string, int, int64, float64:
		return keyedScalar(key, v, t)
	}
	return v
}

func keyedScalar(key string, v any, t *taken) any {
	a := assign.Assignment{Key: key, Grade: keys.GradeKey(key), Sep: '=', Quote: '"', First: true}
	text, isText := v.(string)
	if !isText {
		text = fmt.Sprint(v)
	}
	if a.Grade == keys.None || !isText && a.Grade != keys.Strong || !a.Secret(text) {
		return v
	}
	t.findings = count(t.findings, a.Rule(), 1)
	t.add(a.Rule(), text)
	return spans.PlaceholderStart + a.Rule() + "]"
}
