package gitstore_test

import (
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Whatever form a ref has, lists show what git takes it for.
func TestRefsInUncommonForms(t *testing.T) {
	for name, bend := range map[string]func(w *storetest.World, file, id string) error{
		"line end of Windows": func(w *storetest.World, f, id string) error { return os.WriteFile(f, []byte(id+"\r\n"), 0o666) },
		"upper case": func(w *storetest.World, f, id string) error {
			return os.WriteFile(f, []byte(strings.ToUpper(id)+"\n"), 0o666)
		},
		"a comment behind": func(w *storetest.World, f, id string) error { return os.WriteFile(f, []byte(id+" x\n"), 0o666) },
		"a folder that is a link": func(w *storetest.World, f, id string) error {
			if err := os.Rename(w.Path("r/.git/refs/sage/heads"), w.Path("heads")); err != nil {
				return err
			}
			return os.Symlink(w.Path("heads"), w.Path("r/.git/refs/sage/heads"))
		},
		"names that git refuses": func(w *storetest.World, f, id string) error {
			for _, n := range []string{"x\x1b[31m", ".hidden", "a b"} {
				if err := os.WriteFile(w.Path("r/.git/refs/sage/heads", n), []byte(id+"\n"), 0o666); err != nil {
					return err
				}
			}
			return nil
		},
		"a name written from right to left": func(w *storetest.World, f, id string) error {
			return os.WriteFile(w.Path("r/.git/refs/sage/heads/x\u202ey"), []byte(id+"\n"), 0o666)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			s := open(t, w, "r")
			save(t, s, "first")
			id := save(t, s, "second").ID
			if err := bend(w, w.Path("r/.git/refs/sage/heads/main"), id); err != nil {
				t.Skip(err) // a name that this file system has not
			}
			s = open(t, w, "r")
			lines, err := s.Lines.List(ctx)
			if err != nil || len(lines) != 1 || lines[0].Name != "main" {
				t.Errorf("lines: %+v %v", lines, err)
			}
			if recs, err := s.Commits.Log(ctx, gitstore.Query{}); err != nil || len(recs) != 2 {
				t.Errorf("log: %v %v", recs, err)
			}
			if got := save(t, s, "third"); got.Parents[0] != id {
				t.Errorf("saved %+v", got)
			}
		})
	}
}

// A folder that git passes by is passed by here too.
func TestFoldersThatOnlyLookLikeGit(t *testing.T) {
	for name, spoil := range map[string]func(w *storetest.World) error{
		"no refs":         func(w *storetest.World) error { return os.RemoveAll(w.Path("r/in/.git/refs")) },
		"no objects":      func(w *storetest.World) error { return os.RemoveAll(w.Path("r/in/.git/objects")) },
		"HEAD of nothing": func(w *storetest.World) error { return os.WriteFile(w.Path("r/in/.git/HEAD"), []byte("x\n"), 0o666) },
	} {
		w := storetest.New(t)
		w.Repo("r")
		w.Repo("r/in")
		inner := save(t, open(t, w, "r/in"), "inner")
		must(t, spoil(w))
		outer := save(t, open(t, w, "r/in"), "outer")
		if got := w.Git("r", "rev-parse", "refs/sage/heads/main"); got != outer.ID || len(outer.Parents) != 0 {
			t.Errorf("%s: the save went to %s, git has %s; before it %s", name, outer.ID, got, inner.ID)
		}
	}
}
