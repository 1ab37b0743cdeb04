package gitstore_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Whatever call of git fails, or is killed behind its work, a purge says so or has
// done what it says, nothing is lost, and running it again finishes it.
func TestPurgeGitFails(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	own := usersOwn(t, w, "r")
	s := open(t, w, "r")
	ids := plant(t, w, s, "r")
	w.Git("r", "repack", "-dq")
	w.Git("r", "multi-pack-index", "write")
	w.Git("r", "commit-graph", "write", "--reachable")
	ids = append(ids, save(t, s, "loose says "+planted).ID)
	_ = s.Close()
	faulty := w.FaultyGit()
	failed, step, least := 0, 1, 4
	if thorough {
		step, least = 5, 12
	}
	for _, how := range []storetest.How{storetest.Fail, storetest.Killed} {
		for k := 1; ; k += 1 + k/step {
			dir := fmt.Sprint(how, "-", k)
			if err := os.CopyFS(w.Path(dir), os.DirFS(w.Path("r"))); err != nil {
				t.Fatal(err)
			}
			s := open(t, w, dir)
			faulty.Call(k, how)
			out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted})
			calls := len(faulty.Calls())
			faulty.Heal()
			if err != nil {
				failed++
				loads(t, w, dir, ids)
			}
			again := open(t, w, dir)
			if err != nil || len(out.Left) > 0 {
				purge(t, again, gitstore.PurgeRequest{Match: planted})
			}
			nowhere(t, w, dir, planted)
			still(t, w, dir, own)
			sound(t, w, dir)
			loads(t, w, dir, ids)
			if t.Failed() {
				t.Fatalf("%s at call %d: %v", how, k, err)
			}
			_, _ = s.Close(), again.Close()
			_ = os.RemoveAll(w.Path(dir))
			if calls < k {
				break
			}
		}
	}
	if failed < least {
		t.Errorf("%d failures only", failed)
	}
	t.Logf("failed %d times", failed)
}

// fsck names a purge that was not finished, in each state in which it may be.
func TestFsckNamesUnfinishedPurge(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	plant(t, w, s, "r")
	old := w.Git("r", "rev-parse", "refs/sage/heads/main")
	object := w.Path("r/.git/objects", old[:2], old[2:])
	commit, err := os.ReadFile(object)
	if err != nil {
		t.Fatal(err)
	}
	purge(t, s, gitstore.PurgeRequest{Match: planted})
	wantUnfinished := func(want string) {
		t.Helper()
		found, err := open(t, w, "r").Fsck.Findings(ctx)
		got := ""
		for _, f := range found {
			if f.Kind == "unfinished-purge" {
				got += f.Subject + " "
			}
		}
		if err != nil || got != want {
			t.Errorf("found %v, want %q (%v)", found, want, err)
		}
	}
	wantUnfinished("")
	w.Write("r/.git/objects/"+old[:2]+"/"+old[2:], string(commit)) // as a gc does that had begun before
	wantUnfinished(old[:8] + " ")
	purge(t, open(t, w, "r"), gitstore.PurgeRequest{})
	wantUnfinished("")
	index := w.Path("r/.git/sage/purged")
	b, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	w.Write("r/.git/sage/purging", old+"\n")
	wantUnfinished("sage/purging ")
	if err := os.Remove(w.Path("r/.git/sage/purging")); err != nil {
		t.Fatal(err)
	}
	w.Write("r/.git/sage/purged", "")
	found, err := open(t, w, "r").Fsck.Findings(ctx)
	found = slices.DeleteFunc(found, func(f gitstore.Finding) bool { return f.Kind == "misplaced-item" }) // until it is renamed
	if err != nil || len(found) != 1 || found[0].Kind != "unfinished-purge" {
		t.Errorf("found %v %v", found, err)
	}
	purge(t, open(t, w, "r"), gitstore.PurgeRequest{})
	if again, err := os.ReadFile(index); err != nil || string(again) != string(b) {
		t.Errorf("the index was not made again: %v", err)
	}
	wantUnfinished("")
}

// What a repair kept goes if it holds what is purged, and stays if it does not.
func TestPurgeRepairs(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r")
	one := save(t, s, "one")
	two := save(t, s, "two says "+planted)
	w.Write("r/.git/sage/repairs/1/record.json", `{"steps":[{"old":"`+one.ID+`"}]}`)
	w.Write("r/.git/sage/repairs/2/record.json", `{"steps":[{"old":"`+two.ID+`"}]}`)
	w.Git("r", "update-ref", "refs/sage/repairs/2/heads/main", two.ID)
	w.Git("r", "update-ref", "refs/sage/repairs/1/heads/main", w.Git("r", "rev-parse", one.ID+"^{tree}"))
	purge(t, s, gitstore.PurgeRequest{Match: planted})
	nowhere(t, w, "r", planted)
	sound(t, w, "r")
	for n, stays := range map[string]bool{"1": true, "2": false} {
		if _, err := os.Stat(w.Path("r/.git/sage/repairs/" + n + "/record.json")); (err == nil) != stays {
			t.Errorf("repair %s: %v", n, err)
		}
	}
}
