//go:build unix

package gitstore_test

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/internal/hint"
)

// A spent context is one whose time is up when done is closed.
type spent struct {
	context.Context
	done chan struct{}
}

func (c spent) Done() <-chan struct{} { return c.done }

func (c spent) Err() error {
	select {
	case <-c.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// A remote that never answers is given up when its time is up, and named.
func TestPushToOneThatHangs(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	w.Write("ssh", "#!/bin/sh\n: >\""+w.Path("asked")+"\"\nexec cat \""+w.Path("pipe")+"\"\n")
	if err := os.Chmod(w.Path("ssh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(w.Path("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Git("r", "remote", "add", "slow", "ssh://host/x")
	s := open(t, w, "r", func(o *gitstore.Options) {
		o.Env = append(o.Env, "GIT_SSH_COMMAND="+w.Path("ssh"), "GIT_SSH_VARIANT=simple")
	})
	save(t, s, "one")
	late := spent{ctx, make(chan struct{})}
	go func() {
		for {
			if _, err := os.Stat(w.Path("asked")); err == nil {
				close(late.done)
				return
			}
		}
	}()
	_, err := s.Purge.Push(late)
	if said := hint.Error(err); err == nil || !strings.Contains(said, "remote 'slow': no answer within 1m0s: ") || !strings.HasSuffix(said, "; 'git sage purge --finish --push' tries again") {
		t.Error(err)
	}
}
