package gitstore

import (
	"os"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Whenever we know whether the work tree is dirty, git says the same.
func TestQuickDirty(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *storetest.World)
		known  bool // we must know: these are the common cases
	}{
		"clean":           {func(*storetest.World) {}, true},
		"edited":          {func(w *storetest.World) { w.Write("r/a.txt", "two\n"); older(w, "r/a.txt", 60) }, true},
		"same size":       {func(w *storetest.World) { w.Write("r/a.txt", "two\n"); older(w, "r/a.txt", 60) }, true},
		"edited just now": {func(w *storetest.World) { w.Write("r/a.txt", "two\n") }, false},
		"gone":            {func(w *storetest.World) { _ = os.Remove(w.Path("r/a.txt")) }, true},
		"executable":      {func(w *storetest.World) { _ = os.Chmod(w.Path("r/a.txt"), 0o755) }, true},
		"symlink": {func(w *storetest.World) {
			_ = os.Remove(w.Path("r/a.txt"))
			_ = os.Symlink("x", w.Path("r/a.txt"))
		}, false},
		"staged":     {func(w *storetest.World) { w.Write("r/b.txt", "b"); w.Git("r", "add", "b.txt") }, false},
		"untracked":  {func(w *storetest.World) { w.Write("r/b.txt", "b") }, true},
		"version 4":  {func(w *storetest.World) { w.Git("r", "update-index", "--index-version=4") }, false},
		"assumed":    {func(w *storetest.World) { w.Git("r", "update-index", "--assume-unchanged", "a.txt") }, false},
		"split":      {func(w *storetest.World) { w.Git("r", "update-index", "--split-index") }, false},
		"a new tree": {func(w *storetest.World) { w.Git("r", "commit", "-q", "--amend", "-m", "again") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			older(w, "r/a.txt", 600)
			w.Git("r", "update-index", "--refresh")
			c.change(w)
			dirty, known := repo.QuickDirty(w.Path("r"), w.Path("r/.git"), w.Git("r", "rev-parse", "HEAD^{tree}"))
			if c.known && !known {
				t.Error("it is not known")
			}
			if says := w.Git("r", "diff-index", "HEAD", "--") != ""; known && dirty != says {
				t.Errorf("dirty is %v, git says %v", dirty, says)
			}
		})
	}
}

// older lets a file look as if it was written so many seconds ago.
func older(w *storetest.World, name string, seconds int) {
	at := time.Now().Add(-time.Duration(seconds) * time.Second)
	_ = os.Chtimes(w.Path(name), at, at)
}
