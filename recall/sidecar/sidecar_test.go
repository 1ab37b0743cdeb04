package sidecar

import (
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// newStore is the store of a new repository.
func newStore(t *testing.T) *gitstore.Store {
	t.Helper()
	w := storetest.New(t)
	s, err := gitstore.Open(t.Context(), gitstore.Options{Dir: w.Repo("repo"), Home: w.Path("home", ".sage"), Env: w.Env, Person: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// opened is the sidecar of a store, without a model.
func opened(t *testing.T, s *gitstore.Store) *Sidecar {
	t.Helper()
	sc := New(s, false, nil, Options{})
	if err := sc.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sc.Close)
	return sc
}
