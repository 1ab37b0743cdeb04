//go:build unix

package gitstore_test

import (
	"errors"
	"os"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// chainer saves a chain as a process of its own, which kills itself right before the n-th
// operation that changes a file; 0 is never.
func chainer(n string) int {
	s, err := gitstore.Open(ctx, gitstore.Options{Env: os.Environ(), Now: storetest.Clock()})
	if err == nil {
		defer killedBefore(n, func(op fsx.Op, _ string) bool { return op.Changes() })()
		_, err = s.Checkpoints.SaveChain(ctx, chainOf(40))
	}
	return status(err)
}

// Killed before any of its operations on files a chain is there as a whole or not at all, and
// the next save goes on.
func TestChainKilledAnywhere(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	whole, none := 0, 0
	for k := 1; ; k++ {
		dir, died := inCopy(t, w, "STORETEST_CHAIN", k)
		s := open(t, w, dir)
		list, err := s.Commits.Log(ctx, gitstore.Query{Line: "main", All: true})
		if err != nil && len(list) > 0 {
			t.Fatal(err)
		}
		switch len(list) {
		case 0:
			none++
			_, err := s.Checkpoints.SaveChain(ctx, chainOf(40))
			if err != nil && !errors.Is(err, gitstore.ErrChanged) { // the git that it left behind moved the ref
				t.Fatalf("killed at %d: %v", k, err)
			}
		case 40:
			whole++
		default:
			t.Fatalf("killed at %d: %d of 40 are there", k, len(list))
		}
		save(t, s, "mine")
		sound(t, w, dir)
		_ = s.Close()
		_ = os.RemoveAll(w.Path(dir))
		if !died {
			break
		}
	}
	if whole < 2 || none < 2 {
		t.Errorf("%d were whole, %d were not there", whole, none)
	}
}
