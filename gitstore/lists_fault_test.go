package gitstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A list is what git has, whole, or an error of one line: never a part of it that
// looks like all.
func TestListsAreWholeOrFail(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("agent"))
	save(t, s, "one")
	save(t, s, "two")
	save(t, open(t, w, "r"), "by another")
	save(t, s, "beside")
	if _, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lines.Tag(ctx, "v1", "@~1", false); err != nil {
		t.Fatal(err)
	}
	g := w.FaultyGit()
	for name, list := range map[string]func(*gitstore.Store) (any, error){
		"log": func(s *gitstore.Store) (any, error) { return s.Commits.Log(ctx, gitstore.Query{All: true}) },
		"graph": func(s *gitstore.Store) (any, error) {
			return s.History.Graph(ctx, gitstore.Query{All: true}, func(r gitstore.Record) string { return r.Description + "\nbelow" })
		},
		"lines": func(s *gitstore.Store) (any, error) { return s.Lines.List(ctx) },
		"tags":  func(s *gitstore.Store) (any, error) { return s.Lines.Tags(ctx) },
	} {
		want, err := list(open(t, w, "r"))
		if err != nil || !strings.Contains(fmt.Sprint(want), "v1") && name == "tags" {
			t.Fatalf("%s: %v %v", name, want, err)
		}
		for k := 1; ; k++ {
			s := open(t, w, "r")
			g.Call(k, storetest.Fail)
			got, err := list(s)
			calls := g.Calls()
			g.Heal()
			if len(calls) < k {
				break
			}
			switch d := cmp.Diff(want, got); {
			case err != nil && strings.Contains(err.Error(), "\n"):
				t.Errorf("%s, call %d (%s): no line: %q", name, k, calls[k-1], err)
			case err == nil && d != "":
				t.Errorf("%s, call %d (%s): said nothing (-want +got): %s", name, k, calls[k-1], d)
			}
		}
	}
	out, err := open(t, w, "r").History.Graph(ctx, gitstore.Query{All: true, Max: 2}, func(r gitstore.Record) string { return r.Description + "\nbelow" })
	if err != nil || len(out) < 4 || !strings.HasPrefix(out[0], "*") || strings.HasPrefix(out[1], "*") {
		t.Errorf("%q %v", out, err)
	}
}
