package gitstore_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A purge that changes so many files that they are read in runs and written as one
// pack: all of them are clean, all others are what they were, and whatever keeps the
// pack from being written is said in a line, with every ref where it was.
func TestPurgeOfManyFiles(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r", "--object-format=sha256")
	w.Git("r", "config", "sage.durable", "false")
	s := open(t, w, "r")
	save(t, s, "before it")
	files := map[string][]byte{}
	for i := range 600 {
		said := "nothing"
		if i%4 == 0 {
			said = planted
		}
		files[fmt.Sprintf("knowledge/%02x/item-%d.%s", i%16, i, []string{"md", "yaml", "txt"}[i%3])] = fmt.Appendf(nil, "n: %d\nsaid: %s\n", i, said)
	}
	if err := s.Tree.WriteFiles(ctx, "import", files); err != nil {
		t.Fatal(err)
	}
	packsNotWritten(t, w)
	purge(t, open(t, w, "r"), gitstore.PurgeRequest{Match: planted})
	nowhere(t, w, "r", planted)
	sound(t, w, "r")
	s = open(t, w, "r")
	for path, old := range files {
		got, err := s.Tree.ReadFile(ctx, path)
		want := strings.ReplaceAll(string(old), planted, "[PURGED]")
		if strings.HasSuffix(path, ".yaml") {
			want = strings.ReplaceAll(want, "[PURGED]", `"[PURGED]"`)
		}
		if err != nil || string(got) != want {
			t.Fatalf("%s: %q %v, want %q", path, got, err, want)
		}
	}
}

// packsNotWritten tries the purge where git cannot write a pack, and where the
// folder of packs cannot be synced.
func packsNotWritten(t *testing.T, w *storetest.World) {
	t.Helper()
	refs := w.Git("r", "for-each-ref")
	try := func(what, cause string) {
		t.Helper()
		_, err := open(t, w, "r").Purge.Run(ctx, gitstore.PurgeRequest{Match: planted})
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "write ") || !strings.Contains(err.Error(), cause) {
			t.Errorf("%s: said %v", what, err)
		}
		if now := w.Git("r", "for-each-ref"); now != refs {
			t.Errorf("%s: refs moved:\n%s\n%s", what, refs, now)
		}
	}
	faulty := w.FaultyGit()
	faulty.Command("index-pack", storetest.Fail)
	try("no pack is written", "injected")
	faulty.Heal()
	w.Git("r", "config", "sage.durable", "true")
	restore := fsx.Inject(func(op fsx.Op, path string) error {
		if op == fsx.OpSyncDir && path == w.Path("r/.git/objects/pack") {
			return syscall.EIO
		}
		return nil
	})
	try("the folder of packs cannot be synced", syscall.EIO.Error())
	restore()
	w.Git("r", "config", "sage.durable", "false")
}
