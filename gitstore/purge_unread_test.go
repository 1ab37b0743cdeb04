package gitstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// What cannot be read may hold what is to go: a purge ends there, says so, and has
// changed nothing.
func TestPurgeOfWhatCannotBeRead(t *testing.T) {
	empty := func([]byte) []byte { return nil }
	cut := func(b []byte) []byte { return b[:len(b)/2] }
	for name, c := range map[string]struct {
		object string
		harm   func([]byte) []byte
	}{"text": {":checkpoint.md", empty}, "half a text": {":checkpoint.md", cut}, "folder": {"^{tree}", empty}, "commit": {"", empty}, "half a commit": {"", cut}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := storetest.New(t)
			w.Repo("r")
			s := open(t, w, "r")
			save(t, s, "before")
			one := save(t, s, "it says "+planted)
			save(t, s, "behind")
			_ = s.Close()
			tip := tipOf(w, "r", "refs/sage/heads/main")
			damage(t, w, w.Git("r", "rev-parse", one.ID+c.object), c.harm)
			out, err := open(t, w, "r").Purge.Run(ctx, gitstore.PurgeRequest{Match: planted})
			if err == nil || !strings.Contains(hint.Error(err), "git sage fsck") || strings.Contains(hint.Error(err), "\n") {
				t.Errorf("purged what it could not read: %v, %+v", err, out.PurgePlan.Refs)
			}
			if got := tipOf(w, "r", "refs/sage/heads/main"); got != tip {
				t.Errorf("the line was moved to %s", got)
			}
		})
	}
}

// So it does at a file that is to go by its path: what it holds, and where that is
// besides, is not known.
func TestPurgeOfAFileThatCannotBeRead(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	writeFile(t, s, "templates/x.yaml", "name: "+planted+"\n")
	writeFile(t, s, "templates/y.yaml", "name: y\n")
	_ = s.Close()
	tip := tipOf(w, "r", KnowledgeRef)
	damage(t, w, w.Git("r", "rev-parse", KnowledgeRef+":templates/x.yaml"), func(b []byte) []byte { return b[:len(b)/2] })
	out, err := open(t, w, "r").Purge.Run(ctx, gitstore.PurgeRequest{Path: "templates/x.yaml"})
	if err == nil || !strings.Contains(hint.Error(err), "git sage fsck") {
		t.Errorf("purged what it could not read: %v, %+v", err, out.PurgePlan.Refs)
	}
	if got := tipOf(w, "r", KnowledgeRef); got != tip {
		t.Errorf("the knowledge was moved to %s", got)
	}
}

// damage changes the file of a loose object.
func damage(t *testing.T, w *storetest.World, id string, harm func([]byte) []byte) {
	t.Helper()
	file := filepath.Join(w.Path("r/.git/objects"), id[:2], id[2:])
	b, err := os.ReadFile(file)
	if err == nil {
		err = os.Chmod(file, 0o644)
	}
	if err == nil {
		err = os.WriteFile(file, harm(b), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
