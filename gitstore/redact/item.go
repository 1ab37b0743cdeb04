package redact

import "github.com/git-sage/git-sage/gitstore/sage"

// Item is Checkpoint for an item of the knowledge tree.
func (r *Redactor) Item(it *sage.Item) ([]Finding, error) {
	return r.mapped(it, it.Extra, it.Scope.Extra)
}

// mapped takes the secrets out of what has texts and further keys.
func (r *Redactor) mapped(of interface {
	MapText(func(string) (string, error)) error
}, extras ...[]sage.Entry) (all []Finding, err error) {
	defer func() {
		if p := recover(); p != nil {
			all, err = nil, internalError(p)
		}
	}()
	for _, list := range extras {
		for i, e := range list {
			list[i].Value = keyed(e.Key, e.Value, &all)
		}
	}
	err = of.MapText(func(s string) (string, error) {
		out, found, err := r.Text(s)
		all = Merge(all, found)
		return out, err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
