package redact

import "github.com/git-sage/git-sage/gitstore/sage"

// Item is Checkpoint for an item of the knowledge tree.
//
// What names another item or a skill goes through as well: a secret there names none.
func (r *Redactor) Item(it *sage.Item) ([]Finding, error) {
	var all []Finding
	names := []*string{&it.Replacement}
	for i := range it.Links {
		names = append(names, &it.Links[i].To)
	}
	for i := range it.Scope.Skills {
		names = append(names, &it.Scope.Skills[i])
	}
	for _, name := range names {
		out, found, err := r.Text(*name)
		if err != nil {
			return nil, err
		}
		*name, all = out, Merge(all, found)
	}
	found, err := r.mapped(it, it.Extra, it.Scope.Extra)
	if err != nil {
		return nil, err
	}
	return Merge(all, found), nil
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
