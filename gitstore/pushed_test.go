package gitstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// dayBefore is a clock behind that of the git of tests, which pushes later.
func dayBefore(o *gitstore.Options) {
	at := time.Date(2026, 1, 1, 3, 4, 5, 0, time.UTC)
	o.Now = func() time.Time { at = at.Add(time.Second); return at }
}

// What a remote has is known from more than the refs that track it: each of these pushes
// or fetches leaves a trace, and what has left none may be taken back.
func TestUndoKnowsWhatWasPushed(t *testing.T) {
	const all = "refs/sage/*:refs/sage/*"
	for name, c := range map[string]struct {
		config [][]string
		git    [][]string
		where  string // "" is not known
	}{
		"no push": {},
		"by hand, to what nothing tracks": {
			git: [][]string{{"push", "-q", "hub", all}}},
		"by hand, then fetched": {
			git:   [][]string{{"push", "-q", "hub", all}, {"fetch", "-q", "hub", "refs/sage/heads/main", "refs/sage/heads/idea", "refs/sage/tags/v1"}},
			where: "FETCH_HEAD has '"},
		"where all refs are tracked": {
			config: [][]string{{"remote.hub.fetch", "+refs/*:refs/remotes/hub/*"}},
			git:    [][]string{{"push", "-q", "hub", all}},
			where:  "remotes/hub/sage/"},
		"with the branches, as configured": {
			config: [][]string{{"--add", "remote.hub.push", "refs/heads/*"}, {"--add", "remote.hub.push", "refs/sage/heads/*"}},
			git:    [][]string{{"push", "-q", "hub"}},
			where:  "'git push hub' sends it"},
		"a push that sends branches alone": {
			config: [][]string{{"remote.hub.push", "refs/heads/*"}},
			git:    [][]string{{"push", "-q", "hub"}}},
		"configured, and not pushed": {
			config: [][]string{{"remote.hub.push", "refs/sage/heads/*"}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			w.Git("r", "commit", "-q", "--allow-empty", "-m", "first")
			w.Git("r", "init", "-q", "--bare", w.Path("hub.git"))
			w.Git("r", "remote", "add", "hub", w.Path("hub.git"))
			for _, kv := range c.config {
				w.Git("r", append([]string{"config"}, kv...)...)
			}
			s := open(t, w, "r", dayBefore)
			save(t, s, "one")
			save(t, s, "two")
			if _, err := s.Lines.Tag(ctx, "v1", "main~1", false); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Lines.Branch(ctx, "idea", "main~1"); err != nil {
				t.Fatal(err)
			}
			for _, args := range c.git {
				w.Git("r", args...)
			}
			s = open(t, w, "r", dayBefore)
			if c.where == "" {
				mustUndo(t, s, "1")
				mustUndo(t, s, "3")
				mustUndo(t, s, "5")
				return
			}
			refused(t, s, "3", "was pushed ("+c.where, "git sage checkpoint rm")
			if strings.HasPrefix(c.where, "'") { // of branches and tags only their names would tell
				return
			}
			refused(t, s, "2", "tag 'v1' was pushed", "git sage tag")
			refused(t, s, "1", "line 'idea' was pushed ("+c.where, "git sage branch -d idea")
			if _, err := s.Lines.Tag(ctx, "v1", "main", true); err == nil {
				t.Error("a tag that was pushed moved")
			}
		})
	}
}

func TestAbortOfAMergeThatWasPushed(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Git("r", "commit", "-q", "--allow-empty", "-m", "first")
	w.Git("r", "init", "-q", "--bare", w.Path("hub.git"))
	w.Git("r", "remote", "add", "hub", w.Path("hub.git"))
	w.Git("r", "config", "remote.hub.mirror", "true")
	w.Git("r", "config", "remote.hub.fetch", "+refs/heads/*:refs/remotes/hub/*")
	s := open(t, w, "r", dayBefore)
	save(t, s, "one")
	if _, err := s.Lines.Branch(ctx, "idea", "main"); err != nil {
		t.Fatal(err)
	}
	save(t, s, "two")
	if _, err := s.Lines.Switch(ctx, "idea", false, ""); err != nil {
		t.Fatal(err)
	}
	save(t, s, "three")
	if _, err := s.Checkpoints.Merge(ctx, gitstore.MergeRequest{Rev: "main"}); err != nil {
		t.Fatal(err)
	}
	w.Git("r", "push", "-q", "hub")
	if _, err := s.Checkpoints.AbortMerge(ctx); err == nil || !strings.Contains(err.Error(), "was pushed ('git push hub' sends it)") {
		t.Errorf("%v", err)
	}
}
