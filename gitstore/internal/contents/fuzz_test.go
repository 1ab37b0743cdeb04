package contents

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/objects"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/google/go-cmp/cmp"
)

// FuzzPath builds a tree of two files and finds both, each where its segments
// say, or neither is let in.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"core.yaml", "knowledge/a.md", "lines/main.yaml", "../x", "a//b", ".git/config", "a/.GIT/b", "a\\b", "c:d", "a/./b", "/abs", "a/", "x\x00y", "knowledge/ä/ß.md", strings.Repeat("a/", 40) + "b"} {
		f.Add(s, "knowledge/b.md")
	}
	f.Fuzz(func(t *testing.T, p, q string) {
		for _, s := range []string{p, q} {
			if CheckPath(s) == nil && (!filepath.IsLocal(s) || path.Clean(s) != s || strings.Contains(strings.ToLower("/"+s+"/"), "/.git/")) {
				t.Fatalf("%q passes", s)
			}
		}
		if CheckPath(p) != nil || CheckPath(q) != nil || p == q || strings.HasPrefix(p, q+"/") || strings.HasPrefix(q, p+"/") {
			return
		}
		b := TreeBuilder{S: &Tree{repo: &repo.Repo{Reader: objects.Reader{Objects: loose.Store{Format: "sha1"}}}}}
		want := map[string][]byte{p: []byte("p"), q: []byte("q")}
		root, err := b.Build("", false, maps.Clone(want))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]byte{}
		collect(t, b.Objects, root, "", got)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// collect reads the files of a tree, and sees that it is sorted as git sorts.
func collect(t *testing.T, objects []loose.Object, id, dir string, out map[string][]byte) {
	at := slices.IndexFunc(objects, func(o loose.Object) bool { return o.ID == id })
	if at < 0 {
		t.Fatalf("'%s' has no object", dir)
	}
	entries := gittree.Parse(objects[at].Data, 20)
	key := func(e gittree.Entry) string {
		if e.Mode == gittree.ModeDir {
			return e.Name + "/"
		}
		return e.Name
	}
	if !slices.IsSortedFunc(entries, func(x, y gittree.Entry) int { return strings.Compare(key(x), key(y)) }) {
		t.Fatalf("'%s' is not sorted", dir)
	}
	for _, e := range entries {
		if e.Mode == gittree.ModeDir {
			collect(t, objects, e.ID, dir+e.Name+"/", out)
			continue
		}
		i := slices.IndexFunc(objects, func(o loose.Object) bool { return o.ID == e.ID })
		if i < 0 {
			t.Fatalf("'%s%s' has no object", dir, e.Name)
		}
		out[dir+e.Name] = objects[i].Data
	}
}
