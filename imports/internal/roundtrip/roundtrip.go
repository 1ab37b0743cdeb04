// Package roundtrip holds the readers and writers of other tools' forms to each other, for
// their tests: what a writer says of items comes back, through a reader and an empty store, in
// every field that the form can say.
package roundtrip

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/imports"
)

// A Form is one in which another tool keeps what it knows.
type Form struct {
	Write func([]*sage.Item) map[string][]byte // files by their names
	Read  func(dir string) (imports.Source, error)
	Takes func(*sage.Item) bool   // the form has a place for the item; nil is all
	Says  func(*sage.Item) []any  // what the form can say of an item
	Key   func(*sage.Item) string // by which an item is known again; nil is its id
}

// runs is how many lists of items are tried: each takes a store, some 100 ms.
const runs = 12

// Hold checks that a form brings back generated items and the given ones.
func Hold(t *testing.T, f Form, given []*sage.Item) {
	t.Helper()
	if f.Key == nil {
		f.Key = func(it *sage.Item) string { return it.ID }
	}
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			list := generate(uint64(seed))
			if seed == 0 {
				list = given
			}
			f.hold(t, list)
		})
	}
}

func (f Form) hold(t *testing.T, list []*sage.Item) {
	from := open(t)
	var changes []gitstore.ItemChange
	for _, it := range list {
		it.Tidy()
		changes = append(changes, gitstore.ItemChange{Key: it.ID, Item: it})
	}
	if _, err := from.Knowledge.WriteItems(t.Context(), "generated", changes...); err != nil {
		t.Fatal(err)
	}
	list = all(t, from)
	taken := map[string]bool{}
	if f.Takes != nil {
		list = slices.DeleteFunc(list, func(it *sage.Item) bool { return !f.Takes(it) })
	}
	for _, it := range list {
		taken[it.ID] = true
	}
	dir := t.TempDir()
	for name, data := range f.Write(list) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := f.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	to := open(t)
	report, err := imports.Run(t.Context(), src, imports.Target{Project: to}, imports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Problems {
		if p.Grade != imports.Noted {
			t.Errorf("%+v", p)
		}
	}
	got := map[string]*sage.Item{}
	for _, it := range all(t, to) {
		got[f.Key(it)] = it
	}
	if len(got) != len(list) {
		t.Errorf("%d items came back of %d", len(got), len(list))
	}
	for _, want := range list {
		want.Links = slices.DeleteFunc(want.Links, func(l sage.Link) bool { return !taken[l.To] })
		it := got[f.Key(want)]
		switch {
		case it == nil:
			t.Errorf("did not come back: %q", f.Key(want))
			for k := range got {
				t.Logf("  came: %q", k)
			}
		case shown(f.Says(it)) != shown(f.Says(want)):
			t.Errorf("%s came back as\n%swant\n%s", want.ID, shown(f.Says(it)), shown(f.Says(want)))
		}
	}
}

func shown(says []any) string {
	var b strings.Builder
	for _, v := range says {
		fmt.Fprintf(&b, "  %q\n", fmt.Sprint(v))
	}
	return b.String()
}

// open opens an empty store.
func open(t *testing.T) *gitstore.Store {
	t.Helper()
	w := storetest.New(t)
	w.Repo("r")
	s, err := gitstore.Open(t.Context(), gitstore.Options{Dir: w.Path("r"), Home: w.Path("home/.sage"), Env: w.Env, Now: storetest.Clock(), Person: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func all(t *testing.T, s *gitstore.Store) (out []*sage.Item) {
	t.Helper()
	list, err := s.Knowledge.EveryItem(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Err != nil {
			t.Errorf("%s: %v", e.Key, e.Err)
			continue
		}
		out = append(out, e.Item)
	}
	return out
}
