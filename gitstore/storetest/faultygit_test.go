package storetest_test

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestFaultyGit(t *testing.T) {
	for _, tt := range []struct {
		how   storetest.How
		ok    bool
		moved bool // the ref is there
	}{
		{storetest.Fail, false, false},
		{storetest.Die, false, false},
		{storetest.Mute, true, false},
		{storetest.Behind, false, true},
		{storetest.Killed, false, true},
	} {
		t.Run(string(tt.how), func(t *testing.T) {
			w := storetest.New(t)
			dir := w.Repo("r")
			g := w.FaultyGit()
			run := func(args ...string) error {
				cmd := exec.Command("git", args...)
				cmd.Dir, cmd.Env = dir, w.Env
				return cmd.Run()
			}
			g.Call(2, tt.how)
			if err := run("-c", "a.b=c", "rev-parse", "HEAD"); err != nil {
				t.Fatal(err)
			}
			if err := run("update-ref", "refs/x", "HEAD"); (err == nil) != tt.ok {
				t.Errorf("second call: %v", err)
			}
			if got := g.Calls(); !slices.Equal(got, []string{"rev-parse", "update-ref"}) {
				t.Errorf("calls: %v", got)
			}
			_, err := w.TryGit("r", "rev-parse", "--verify", "-q", "refs/x")
			if (err == nil) != tt.moved {
				t.Errorf("the ref: %v", err)
			}
			g.Command("update-ref", storetest.Fail)
			if err := errors.Join(run("status"), run("rev-parse", "HEAD")); err != nil {
				t.Error(err)
			}
			if run("update-ref", "refs/y", "HEAD") == nil {
				t.Error("the command went well")
			}
			g.Heal()
			if err := run("update-ref", "refs/y", "HEAD"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFaultyGitHangs(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.FaultyGit().Command("version", storetest.Hang)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := exec.CommandContext(ctx, "git", "version").Run(); err == nil || ctx.Err() == nil {
		t.Errorf("it ended: %v", err)
	}
}
