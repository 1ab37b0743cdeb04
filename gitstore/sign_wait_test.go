//go:build unix

package gitstore_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// signs has everybody sign by a program that waits until there is a file, as one waits for
// a person, and does not end when it is asked to.
func signs(t *testing.T, w *storetest.World) (file string) {
	t.Helper()
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Fatal("ssh-keygen is needed")
	}
	key, file := w.Path("home/key"), w.Path("home/pin")
	if out, err := exec.Command(keygen, "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	w.Write("home/asks", "#!/bin/sh\ntrap '' TERM INT\nwhile test ! -e '"+file+"'; do test -e \"$0\" || exit 1; sleep 0.02; done\nexec '"+keygen+"' \"$@\"\n")
	must(t, os.Chmod(w.Path("home/asks"), 0o755))
	for k, v := range map[string]string{"gpg.format": "ssh", "user.signingKey": key, "commit.gpgSign": "true", "gpg.ssh.program": w.Path("home/asks")} {
		w.Git("", "config", "--global", k, v)
	}
	t.Cleanup(func() { w.Write("home/pin", "") }) // what still waits ends
	return file
}

// now is a clock on which all that is waited for is over at once.
func now(waited *[]time.Duration) func(time.Duration) <-chan time.Time {
	return func(d time.Duration) <-chan time.Time {
		*waited = append(*waited, d)
		c := make(chan time.Time, 1)
		c <- time.Time{}
		return c
	}
}

// A person who is asked for a pin is told so after 20 s, once, and the save waits on.
func TestSaveWaitsForAPin(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	pin := signs(t, w)
	var told []string
	var waited []time.Duration
	s := open(t, w, "r", func(o *gitstore.Options) { o.After = now(&waited) })
	s.Ledger.Tell(func(what string) {
		told = append(told, what)
		if err := os.WriteFile(pin, nil, 0o644); err != nil {
			t.Error(err)
		}
	})
	got := save(t, s, "signed")
	if len(told) != 1 || !strings.Contains(told[0], "waiting for a signature") || !strings.Contains(told[0], "sage.sign=false") || len(waited) != 1 || waited[0] != 20*time.Second {
		t.Errorf("told %q after %v", told, waited)
	}
	if !strings.Contains(w.Git("r", "cat-file", "commit", got.ID), "gpgsig ") {
		t.Error("it is not signed")
	}
	if r, err := s.Fsck.Check(ctx); err != nil || len(r.Findings) > 0 {
		t.Errorf("%+v %v", r.Findings, err)
	}
}

// Who gives up while the pin is waited for has saved nothing, and the next save, which is
// not signed, is whole.
func TestPinIsNotGiven(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	signs(t, w)
	var waited []time.Duration
	c, stop := context.WithCancel(ctx)
	s := open(t, w, "r", func(o *gitstore.Options) { o.After = now(&waited) })
	s.Ledger.Tell(func(string) { stop() })
	if got, err := s.Checkpoints.Save(c, thesis("signed")); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v %v", got, err)
	}
	if refs := w.Git("r", "for-each-ref", "refs/sage"); refs != "" {
		t.Errorf("there is %s", refs)
	}
	w.Git("", "config", "--global", "sage.sign", "false")
	s = open(t, w, "r")
	save(t, s, "unsigned")
	if r, err := s.Fsck.Check(ctx); err != nil || len(r.Findings) > 0 {
		t.Errorf("%+v %v", r.Findings, err)
	}
}

// Nobody is there to give a pin to what saves by itself: it does not wait for a person, nor
// for a program that does not end, and says that it is not signed.
func TestAutomaticSaveWaitsForNoPin(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	signs(t, w)
	s := open(t, w, "r")
	s.Ledger.Tell(func(string) { t.Error("told") })
	d := thesis("by itself")
	d.Automatic = true
	got, err := s.Checkpoints.Save(ctx, d)
	if err != nil || len(got.Warnings) != 1 || !strings.HasPrefix(got.Warnings[0].Text, "not signed: ") {
		t.Fatalf("%+v %v", got, err)
	}
	if strings.Contains(w.Git("r", "cat-file", "commit", got.ID), "gpgsig ") {
		t.Error("it is signed")
	}
}
