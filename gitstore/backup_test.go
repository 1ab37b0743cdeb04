package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

var ctx = context.Background()

func kept(t *testing.T, s *Store, text string) ledger.Saved {
	t.Helper()
	got, err := s.Checkpoints.Save(ctx, ledger.Draft{Checkpoint: sage.Checkpoint{Thesis: text}})
	if err != nil {
		t.Fatalf("save %q: %v", text, err)
	}
	if len(got.Warnings) > 0 {
		t.Errorf("save %q: %v", text, got.Warnings)
	}
	return got
}

// lose takes all objects of ours out of git and leaves the refs, as a gc that did not know them.
func lose(t *testing.T, w *storetest.World) {
	t.Helper()
	refs := strings.Fields(w.Git("r", "for-each-ref", "--format=%(refname) %(objectname)", "refs/sage/"))
	for pair := range slices.Chunk(refs, 2) {
		w.Git("r", "update-ref", "-d", pair[0])
	}
	w.Git("r", "reflog", "expire", "--expire=now", "--all")
	w.Git("r", "gc", "-q", "--prune=now")
	for pair := range slices.Chunk(refs, 2) { // git sets no ref to what it lacks
		file := w.Path("r/.git/" + pair[0])
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(pair[1]+"\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

func files(t *testing.T, dir string) (n int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What a save wrote comes back whole after git has lost it, whether the backup was
// only linked by saves, was packed, or lacks the links.
func TestBackupBringsBack(t *testing.T) {
	for name, before := range map[string]func(*Store) error{
		"linked by saves": func(*Store) error { return nil },
		"packed":          func(s *Store) error { return s.Backup.SyncBackup(ctx) },
		"packed twice":    func(s *Store) error { return errors.Join(s.Backup.SyncBackup(ctx), s.Backup.SyncBackup(ctx)) },
		"made by upkeep":  func(s *Store) error { return errors.Join(os.RemoveAll(s.Backup.BackupDir()), s.Backup.SyncBackup(ctx)) },
		"rebuilt":         func(s *Store) error { return s.Backup.RebuildBackup(ctx, s.History.NothingLost) },
		"rebuilt from none": func(s *Store) error {
			return errors.Join(os.RemoveAll(s.Backup.BackupDir()), s.Backup.RebuildBackup(ctx, s.History.NothingLost))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, w := fresh(t)
			kept(t, s, "one")
			two := kept(t, s, "two")
			many := map[string][]byte{} // more than come back one by one
			for i := range 310 {
				many[fmt.Sprintf("templates/x%d.yaml", i)] = fmt.Appendf(nil, "name: x%d\n", i)
			}
			if err := s.Tree.WriteFiles(ctx, "templates", many); err != nil {
				t.Fatal(err)
			}
			if err := before(s); err != nil {
				t.Fatal(err)
			}
			lose(t, w)
			if out, err := w.TryGit("r", "cat-file", "-e", two.ID); err == nil {
				t.Fatalf("it is not lost: %s", out)
			}
			if n, err := s.Backup.Recover(ctx, true); err != nil || n == 0 {
				t.Fatalf("%d came back, %v", n, err)
			}
			w.Git("r", "fsck", "--full", "--strict")
			if got := w.Git("r", "show", "refs/sage/heads/main~1:checkpoint.md"); !strings.Contains(got, "one") {
				t.Error(got)
			}
			if n := files(t, s.Backup.BackupObjectsDir()); name != "linked by saves" && n > 4 {
				t.Errorf("%d files in the backup", n)
			}
		})
	}
}

// What the backup lacks as well keeps nothing else away.
func TestBackupLacks(t *testing.T) {
	s, w := fresh(t)
	one, two := kept(t, s, "one"), kept(t, s, "two")
	blob := w.Git("r", "rev-parse", one.ID+":checkpoint.md")
	if err := os.Remove(filepath.Join(s.Backup.BackupObjectsDir(), blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	lose(t, w)
	if n, err := s.Backup.Recover(ctx, true); err != nil || n == 0 {
		t.Errorf("%d came back, %v", n, err)
	}
	if got := w.Git("r", "show", two.ID+":checkpoint.md"); !strings.Contains(got, "two") {
		t.Error(got)
	}
}

// However often it is kept, the backup has few files, and nothing that it had is
// gone, reachable or not.
func TestBackupStaysSmall(t *testing.T) {
	s, w := fresh(t)
	var ids []string
	for i := range backup.MaxPacks + 3 {
		ids = append(ids, kept(t, s, fmt.Sprint("thought ", i)).ID)
		if i == 5 { // one that no ref reaches any more
			w.Git("r", "update-ref", "refs/sage/heads/main", ids[4])
			if err := s.journal.RewriteJournal(func(known map[string]journal.Entry) error { clear(known); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Backup.SyncBackup(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if packs, err := backup.PacksIn(s.Backup.BackupDir()); err != nil || len(packs) > backup.MaxPacks {
		t.Errorf("%d packs, %v", len(packs), err)
	}
	lose(t, w)
	for _, id := range ids {
		w.Git("r", "--git-dir", s.Backup.BackupDir(), "cat-file", "-e", id+":checkpoint.md")
	}
}

// Where files cannot be linked a save keeps a copy, and where nothing can be kept
// it is a save all the same.
func TestBackupWithoutLinks(t *testing.T) {
	s, _ := fresh(t)
	if err := os.MkdirAll(s.Repo.Dir(), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Backup.BackupDir(), nil, 0o644); err != nil { // a file in its place
		t.Fatal(err)
	}
	one := kept(t, s, "one")
	if err := os.Remove(s.Backup.BackupDir()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fsx.Inject(func(op fsx.Op, _ string) error {
		if op == fsx.OpLink {
			return syscall.EXDEV
		}
		return nil
	}))
	two := kept(t, s, "two")
	in := loose.Store{Dir: s.Backup.BackupObjectsDir(), Format: "sha1"}
	if _, ok := in.Read(two.ID); !ok {
		t.Error("no copy was kept")
	}
	if _, ok := in.Read(one.ID); ok {
		t.Error("a file that is no folder held an object")
	}
}

// What was made here is known, also behind a line that was cut short.
func TestOwn(t *testing.T) {
	s, w := fresh(t)
	one := kept(t, s, "one")
	f, err := os.OpenFile(s.Ownership.OwnFile(), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(one.ID[:17])
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	two := kept(t, s, "two")
	if err := s.Tree.WriteFiles(ctx, "a note", map[string][]byte{"system/a.md": []byte("a\n")}); err != nil {
		t.Fatal(err)
	}
	ids, err := s.Ownership.OwnIDs()
	for _, id := range []string{one.ID, two.ID, w.Git("r", "rev-parse", "refs/sage/knowledge")} {
		if !ids[id] {
			t.Errorf("%s is not listed", id)
		}
	}
	if err != nil || len(ids) != 3 {
		t.Errorf("%v %v", ids, err)
	}
}
