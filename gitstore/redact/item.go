package redact

import "github.com/git-sage/git-sage/gitstore/sage"

// Item is Checkpoint for an item of the knowledge tree.
//
// What names another item or a skill goes through as well: a secret there names none. What was
// taken out of one text is taken out of the others, where nothing beside it tells that it is a
// secret: a keyword that has a word of it is dropped.
func (r *Redactor) Item(it *sage.Item) ([]Finding, error) {
	found, _, err := r.Named(it, "")
	return found, err
}

// Named is Item of one that is to have a name, and reports whether that has a word of what was
// taken out.
func (r *Redactor) Named(it *sage.Item, name string) (found []Finding, tells bool, err error) {
	t, err := r.item(it)
	if err != nil {
		return nil, true, err
	}
	return t.findings, t.told(name) != "", nil
}

func (r *Redactor) item(it *sage.Item) (t *taken, err error) {
	t = &taken{words: map[string]string{}}
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
		*name, t.findings = out, Merge(t.findings, found)
	}
	if err := r.mapped(it, t, it.Extra, it.Scope.Extra); err != nil {
		return nil, err
	}
	return t, t.clear(it)
}

// mapped takes the secrets out of what has texts and further keys.
func (r *Redactor) mapped(of interface {
	MapText(func(string) (string, error)) error
}, t *taken, extras ...[]sage.Entry) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = internalError(p)
		}
	}()
	for _, list := range extras {
		for i, e := range list {
			list[i].Value = keyed(e.Key, e.Value, t)
		}
	}
	return of.MapText(func(s string) (string, error) {
		out, found, err := r.settle(s, t.round(r))
		t.findings = Merge(t.findings, found)
		return out, err
	})
}
