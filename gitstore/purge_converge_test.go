package gitstore_test

import (
	"slices"
	"strings"
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
		then func(ids []string) gitstore.PurgeRequest // by b, too; nil is nothing
		gone []string                                 // words
		want []string
	}{
		{"two texts",
			func([]string) gitstore.PurgeRequest { return secret("alpha-key") },
			func([]string) gitstore.PurgeRequest { return secret("beta-key") }, nil,
			[]string{"alpha-key", "beta-key"},
			[]string{"by b", "by a", "three says [PURGED]", "two says [PURGED]", "one says [PURGED] and [PURGED]"}},
		{"a checkpoint and a text before it",
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[1:2]} },
			func([]string) gitstore.PurgeRequest { return secret("alpha-key") }, nil,
			[]string{"two says", "alpha-key"},
			[]string{"by b", "by a", "three says beta-key", "one says [PURGED] and beta-key"}},
		{"two checkpoints",
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[:1]} },
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[1:2]} }, nil,
			[]string{"one says", "two says"},
			[]string{"by b", "by a", "three says beta-key"}},
		{"a file and a text in it",
			func([]string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Path: "knowledge/2d/x.md"} },
			func([]string) gitstore.PurgeRequest { return secret("alpha-key") }, nil,
			[]string{"alpha-key", "file holds"},
			[]string{"by b", "by a", "three says beta-key", "two says [PURGED]", "one says [PURGED] and beta-key"}},
		{"a checkpoint in one; texts, and another checkpoint, in the other",
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[:1]} },
			func([]string) gitstore.PurgeRequest { return secret("alpha-key|beta-key") },
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[2:3]} },
			[]string{"alpha-key", "beta-key", "one says", "three says"},
			[]string{"by b", "by a", "two says [PURGED]"}},
		{"one checkpoint in both, and texts in one",
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[1:2]} },
			func([]string) gitstore.PurgeRequest { return secret("alpha-key|beta-key") },
			func(ids []string) gitstore.PurgeRequest { return gitstore.PurgeRequest{Revs: ids[1:2]} },
			[]string{"alpha-key", "beta-key", "two says"},
			[]string{"by b", "by a", "three says [PURGED]", "one says [PURGED] and [PURGED]"}},
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
			if err := a.Tree.WriteFiles(ctx, "note", map[string][]byte{"knowledge/2d/x.md": []byte("---\nid: x\n---\n\nthe file holds alpha-key\n"), "knowledge/a1/y.md": []byte("---\nid: y\n---\n\nstays\n")}); err != nil {
				t.Fatal(err)
			}
			fetch(w, "b", "a")
			acts(t, b)
			purge(t, a, c.a(ids))
			purge(t, b, c.b(ids))
			if c.then != nil {
				purge(t, b, c.then(ids))
			}
			save(t, a, "by a")
			save(t, b, "by b")
			for range 4 {
				fetch(w, "a", "b")
				fetch(w, "b", "a")
				mergeFetched(t, a)
				mergeFetched(t, b)
			}
			for _, ref := range []string{mainRef, KnowledgeRef} {
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

// Two machines purge, and only what the purges recorded gets through: the hub refuses
// the lines, since they were rewritten, and sends the old history again each time. What
// took the place of a commit elsewhere is then not here, though all know its id.
func TestPurgesPassEachOther(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []gitstore.PurgeRequest
		want []string // words that no line may hold in the end
	}{
		{"the first in one; texts, and the last but one, in the other",
			[]gitstore.PurgeRequest{{Revs: []string{"@~2"}}},
			[]gitstore.PurgeRequest{{Match: "zebra"}, {Revs: []string{"@~1"}}},
			[]string{"zebra", "three", "one"}},
		{"the second in one, texts in the other",
			[]gitstore.PurgeRequest{{Revs: []string{"@~1"}}},
			[]gitstore.PurgeRequest{{Match: "zebra"}},
			[]string{"zebra", "two"}},
		{"the second in both, and texts in one",
			[]gitstore.PurgeRequest{{Revs: []string{"@~1"}}},
			[]gitstore.PurgeRequest{{Match: "zebra"}, {Revs: []string{"@~2"}}},
			[]string{"zebra", "two"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			clones(t, w, "a", "b")
			a, b := open(t, w, "a"), open(t, w, "b")
			for _, text := range []string{"one zebra", "two zebra", "three zebra"} {
				save(t, a, text)
			}
			pushSome(w, "a")
			fetchSage(w, "b")
			mergeFetched(t, b)
			save(t, b, "b's own zebra")
			for _, r := range c.a {
				purge(t, a, r)
			}
			for _, r := range c.b {
				purge(t, b, r)
			}
			for range 3 {
				for _, dir := range []string{"a", "b"} {
					s := open(t, w, dir)
					fetchSage(w, dir)
					mergeFetched(t, s)
					if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{}); err != nil && !strings.Contains(err.Error(), "still in") {
						t.Errorf("%s: %v", dir, err)
					}
					pushSome(w, dir)
				}
			}
			for range 4 {
				for _, dir := range []string{"a", "b"} {
					s := open(t, w, dir)
					fetchSage(w, dir)
					mergeFetched(t, s)
					if _, err := s.Purge.Run(ctx, gitstore.PurgeRequest{}); err != nil {
						t.Errorf("%s: %v", dir, err)
					}
					if _, err := s.Purge.Push(ctx); err != nil {
						t.Errorf("%s: push: %v", dir, err)
					}
					pushSome(w, dir)
				}
			}
			if x, y := tipOf(w, "a", mainRef), tipOf(w, "b", mainRef); x != y {
				t.Errorf("main is %s in one and %s in the other", x, y)
			}
			for _, subject := range subjects(t, b, gitstore.Query{All: true}) {
				for _, word := range c.want {
					if strings.Contains(subject, word) {
						t.Errorf("%q came back", subject)
					}
				}
			}
			for _, dir := range []string{"a", "b"} {
				nowhere(t, w, dir, "zebra")
				sound(t, w, dir)
			}
		})
	}
}

// pushSome pushes what the hub takes without force.
func pushSome(w *storetest.World, dir string) {
	for _, ref := range []string{"refs/sage/heads/main", KnowledgeRef} {
		_, _ = w.TryGit(dir, "push", "-q", "hub", ref)
	}
}
