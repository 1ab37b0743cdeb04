package codeindex_test

import (
	"errors"
	"os"
	"testing"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/codeindex/projects"
)

// Of two repositories that which has both words of the query comes first, and an index that is
// only read learns nothing new.
func TestAcross(t *testing.T) {
	w := newWorld(t, 1)
	w.write("a.go", "package a\n\n// Login sends a token.\nfunc Login() {}\n")
	here := w.index()
	w.update(here)
	w.Repo("other")
	write := func(name, text string) {
		if err := os.WriteFile(w.Path("other/"+name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("b.go", "package b\n\n// Check refuses an expired token, which was good once, and says for how long it was.\nfunc Check() {}\n")
	store := w.open("other")
	x := codeindex.Of(store, nil, nil, nil, nil)
	defer x.Close()
	w.update(x)
	write("c.go", "package b\n\n// Renew renews an expired token.\nfunc Renew() {}\n")
	asIs := codeindex.AsIs(store, nil, nil, nil)
	defer asIs.Close()
	broken := errors.New("broken")
	list := []*codeindex.Searched{
		{Project: projects.Of(w.store), Index: here}, {Project: projects.Of(store), Index: asIs}, {Project: projects.Project{Name: "gone"}, Err: broken},
	}
	hits := codeindex.Across(t.Context(), codeindex.Query{Text: "expired token"}, list)
	if len(hits) < 2 || hits[0].Name != "Check" || hits[0].Project.Name != "other" || hits[0].File() != w.Path("other/b.go") {
		t.Errorf("%+v", hits)
	}
	for _, h := range hits {
		if h.Name == "Renew" {
			t.Error("what is new was indexed")
		}
	}
	if r := list[1].Result; r.Missing != 1 || list[0].Err != nil || list[2].Err != broken || list[2].Note() != "project 'gone' was not searched: broken" {
		t.Errorf("%+v: %q, %q", r, list[1].Note(), list[2].Note())
	}
}
