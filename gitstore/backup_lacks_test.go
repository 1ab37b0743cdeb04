package gitstore

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/verify"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// foreign is a repository r with a save upon two that were made in another, where
// the backup has no part of those.
func foreign(t *testing.T) (*storetest.World, *Store) {
	t.Helper()
	w := storetest.New(t)
	for _, r := range []string{"r", "a"} {
		w.Repo(r)
	}
	a := openIn(t, w, "a")
	kept(t, a, "one")
	kept(t, a, "two")
	w.Git("r", "fetch", "-q", "../a", "+refs/sage/heads/*:refs/sage/remotes/a/heads/*")
	s := openIn(t, w, "r")
	if _, err := s.Exchange.MergeFetched(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	kept(t, s, "three")
	return w, s
}

func openIn(t *testing.T, w *storetest.World, dir string) *Store {
	t.Helper()
	s, err := Open(ctx, repo.Options{Dir: w.Path(dir), Env: w.Env, Now: storetest.Clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func backupSays(s *Store) string {
	var all []string
	for _, d := range s.Doctor.Diagnose(ctx) {
		if d.Name == "backup" {
			all = append(all, string(d.State)+": "+d.Detail+" | "+hint.Cure(d.Cure))
		}
	}
	return strings.Join(all, "\n")
}

// What was fetched lies behind a tip that was saved here: doctor sees that the backup
// lacks it, and each way to bring it there does, once.
func TestWhatWasFetchedIsKept(t *testing.T) {
	for name, keep := range map[string]func(*Store) error{
		"behind the merge": func(s *Store) error {
			if done, err := s.Backup.KeepFetched(ctx); !done || err != nil {
				t.Errorf("kept: %v, %v", done, err)
			}
			return nil
		},
		"by the upkeep": func(s *Store) error { return s.Upkeep.MaintainDue(ctx) },
		"by hand":       func(s *Store) error { _, err := s.Upkeep.Maintain(ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			w, s := foreign(t)
			want := "warning: lacks 6 objects that were fetched, or saved by another version | git sage admin maintenance"
			if got := backupSays(s); got != want {
				t.Errorf("doctor says %q", got)
			}
			if err := keep(s); err != nil {
				t.Fatal(err)
			}
			if got := backupSays(s); !strings.HasPrefix(got, "ok: ") {
				t.Errorf("afterwards doctor says %q", got)
			}
			lose(t, w)
			s = openIn(t, w, "r")
			if out, err := s.Fsck.Repair(ctx, verify.RepairRequest{}); err != nil || len(out.Not) > 0 || len(out.Done) == 0 {
				t.Fatal(out, err)
			}
			recs, err := s.Commits.Log(ctx, commits.Query{})
			var got []string
			for _, r := range recs {
				got = append(got, r.Description)
			}
			if err != nil || !slices.Equal(got, []string{"three", "two", "one"}) {
				t.Errorf("came back: %q, %v", got, err)
			}
		})
	}
}

// Beside a purge nothing is put into the backup; what is nowhere is not looked for.
func TestKeepFetchedSteps(t *testing.T) {
	w, s := foreign(t)
	l, err := s.Backup.LockUpkeep(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if done, err := s.Backup.KeepFetched(ctx); done || err != nil {
		t.Errorf("beside another: %v, %v", done, err)
	}
	l.Unlock()
	for _, id := range strings.Fields(w.Git("r", "rev-parse", "refs/sage/heads/main~1^{tree}", "refs/sage/heads/main~2^{tree}")) {
		if err := os.Remove(w.Path("r/.git/objects/" + id[:2] + "/" + id[2:])); err != nil {
			t.Fatal(err)
		}
	}
	s = openIn(t, w, "r")
	if done, err := s.Backup.KeepFetched(ctx); !done || err != nil {
		t.Errorf("with holes: %v, %v", done, err)
	}
	if ids, err := s.Backup.Lacking(ctx, 0); err != nil || len(ids) > 0 {
		t.Errorf("still lacks %v, %v", ids, err)
	}
}
