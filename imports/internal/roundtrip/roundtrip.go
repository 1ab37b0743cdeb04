// Package roundtrip compares items with what comes back of them after they were written in the
// form of another tool, for the tests of the readers.
package roundtrip

import (
	"reflect"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/imports"
)

// Items are the items of a source by their ids, which their links name as well. A problem of
// another grade than the given ones fails the test.
func Items(t *testing.T, src imports.Source, allowed ...imports.Grade) map[string]*sage.Item {
	t.Helper()
	out, byName := map[string]*sage.Item{}, map[string]string{}
	err := src.Each(t.Context(), func(r imports.Record) error {
		for _, p := range r.Problems {
			if !slices.Contains(allowed, p.Grade) {
				t.Errorf("%+v", p)
			}
		}
		if it, ok := r.Thing.(imports.Item); ok {
			it.SetDefaults()
			out[it.ID], byName[r.Name] = it.Item, it.ID
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range out {
		for i, l := range it.Links {
			it.Links[i].To = byName[l.To]
		}
		if it.Replacement != "" {
			it.Replacement = byName[it.Replacement]
		}
	}
	return out
}

// Compare compares the fields of items that a form can say.
func Compare(t *testing.T, got map[string]*sage.Item, want []*sage.Item, fields func(*sage.Item) any) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d items came back of %d", len(got), len(want))
	}
	for _, w := range want {
		g := got[w.ID]
		if g == nil {
			t.Errorf("%s did not come back", w.ID)
		} else if !reflect.DeepEqual(fields(g), fields(w)) {
			t.Errorf("%s came back as\n%+v\nwant\n%+v", w.ID, fields(g), fields(w))
		}
	}
}
