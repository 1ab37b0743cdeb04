package gitstore_test

import (
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Two machines purge different things at the same time, each from the history that
// both had. After they have synced by plain fetch both have the same commits, and
// what either purged is in neither.
func TestPurgesMeet(t *testing.T) {
	secret := func(w string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Match: w} }
	for _, c := range []struct {
		name string
		a, b func(ids []string) gitstore.PurgeRequest
		gone []string // words
		want []string
	}{
		{"two texts",
			func([]string) gitstore.PurgeRequest { return secret("alpha-key") },
			func([]string) gitstore.PurgeRequest { return secret("beta-key") },
			[]string{"alpha-key", "beta-key"},
			[]string{"by b", "by a", "three says [PURGED]", "two says [PURGED]", "one says [PURGED] and [PURGED]"}},
		{"a checkpoint and a text before it",
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[1:2]} },
			func([]string) gitstore.PurgeRequest { return secret("alpha-key") },
			[]string{"two says", "alpha-key"},
			[]string{"by b", "by a", "three says beta-key", "one says [PURGED] and beta-key"}},
		{"two checkpoints",
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[:1]} },
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[1:2]} },
			[]string{"one says", "two says"},
			[]string{"by b", "by a", "three says beta-key"}},
		{"a file and a text in it",
			func([]string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Path: "knowledge/x.md"} },
			func([]string) gitstore.PurgeRequest { return secret("alpha-key") },
			[]string{"alpha-key", "file holds"},
			[]string{"by b", "by a", "three says beta-key", "two says [PURGED]", "one says [PURGED] and beta-key"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("a")
			w.Repo("b")
			a, b := open(t, w, "a"), open(t, w, "b")
			var ids []string
			for _, text := range []string{"one says alpha-key and beta-key", "two says alpha-key", "three says beta-key"} {
				ids = append(ids, save(t, a, text).ID)
			}
			if err := a.WriteFiles(ctx, "note", map[string][]byte{"knowledge/x.md": []byte("the file holds alpha-key\n"), "knowledge/y.md": []byte("stays\n")}); err != nil {
				t.Fatal(err)
			}
			fetch(w, "b", "a")
			acts(t, b)
			purge(t, a, c.a(ids))
			purge(t, b, c.b(ids))
			save(t, a, "by a")
			save(t, b, "by b")
			for range 4 {
				fetch(w, "a", "b")
				fetch(w, "b", "a")
				mergeFetched(t, a)
				mergeFetched(t, b)
			}
			for _, ref := range []string{mainRef, knowledgeRef} {
				if x, y := tipOf(w, "a", ref), tipOf(w, "b", ref); x != y || x == "" {
					t.Errorf("%s is %s in one and %s in the other", ref, x, y)
				}
			}
			for _, dir := range []string{"a", "b"} {
				s := open(t, w, dir)
				got := slices.DeleteFunc(subjects(t, s, gitstore.Query{All: true}), func(d string) bool { return d == "NEEDS SYNTHESIS" })
				slices.Sort(got)
				want := slices.Sorted(slices.Values(c.want))
				if !slices.Equal(got, want) {
					t.Errorf("%s has %q, want %q", dir, got, want)
				}
				purge(t, s, gitstore.PurgeRequest{})
				for _, word := range c.gone {
					nowhere(t, w, dir, word)
				}
				sound(t, w, dir)
			}
			if x, y := tipOf(w, "a", mainRef), tipOf(w, "b", mainRef); x != y {
				t.Errorf("finishing moved main to %s and %s", x, y)
			}
		})
	}
}
