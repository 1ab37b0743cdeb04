//go:build unix

package gitstore_test

import (
	"os"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// scribe keeps conversations, or purges what is planted, as a process of its own, which
// kills itself right before the n-th operation that changes a file; 0 is never. Of a purge
// only those on conversations count.
func scribe(n string) int {
	s, err := gitstore.Open(ctx, gitstore.Options{Env: os.Environ(), Now: storetest.Clock()})
	if err == nil {
		purge := os.Getenv("STORETEST_PURGED") != ""
		defer killedBefore(n, func(op fsx.Op, path string) bool {
			return op.Changes() && (!purge || strings.Contains(path, "private.git"))
		})()
		if purge {
			_, err = s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted})
		} else {
			_, err = s.Transcripts.KeepConversations(ctx, openLines)
		}
	}
	return status(err)
}

// Killed anywhere, what was kept before is there, what is wanted is whole or absent, and
// who keeps next makes it whole. Nothing is there twice.
func TestConversationsKilledAnywhere(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one").says("one")
	first := k.saves("first")
	keepAll(t, open(t, w, "r"))
	second := k.says("two").saves("second")
	third := k.says(strings.Repeat("many words ", 30_000), strings.Repeat("\x01", 900_000), "three").saves("third")
	kills, apart := 0, 5
	if testing.Short() {
		apart = 2
	}
	for n := 1; ; n += 1 + n/apart {
		dir, killed := inCopy(t, w, "STORETEST_SCRIBE", n)
		s := open(t, w, dir)
		wantList(t, told(t, s, first), "one")
		if got := told(t, s, second); got != nil {
			wantList(t, got, "one", "two")
		}
		if got := told(t, s, third); got != nil && (len(got) != 5 || got[4] != "three") {
			t.Errorf("killed at %d: %d utterances", n, len(got))
		}
		if f, err := s.Fsck.Findings(ctx); len(f) > 0 || err != nil {
			t.Errorf("killed at %d: fsck: %v, %v", n, f, err)
		}
		keepAll(t, s)
		wantList(t, told(t, s, second), "one", "two")
		if got := told(t, s, third); len(got) != 5 || got[4] != "three" {
			t.Errorf("behind a kill at %d: %d utterances", n, len(got))
		}
		if list, err := s.Transcripts.Wanted(); len(list) > 0 || err != nil {
			t.Errorf("behind a kill at %d: wanted %v, %v", n, list, err)
		}
		_ = s.Close()
		_ = os.RemoveAll(w.Path(dir))
		if !killed {
			break
		}
		kills++
	}
	if kills < 5 {
		t.Errorf("killed %d times only", kills)
	}
}

// A purge that is killed anywhere is finished by the next one; the conversations are there
// all the time but for the moment between two renames, and then again.
func TestPurgeOfConversationsKilledAnywhere(t *testing.T) {
	t.Parallel()
	w := storetest.New(t)
	w.Repo("r")
	k := newTeller(t, w, "r", "one").says("the word is "+planted, "and so on")
	id := k.saves("a thesis")
	keepAll(t, open(t, w, "r"))
	kills, apart := 0, 1
	if testing.Short() {
		apart = 3
	}
	for n := 1; ; n += apart {
		dir, killed := inCopy(t, w, "STORETEST_SCRIBE", n, "STORETEST_PURGED=1")
		s := open(t, w, dir)
		keepAll(t, s) // which may come before the purge is run again
		if got := told(t, s, id); len(got) != 2 || got[1] != "and so on" {
			t.Errorf("killed at %d: %q", n, got)
		}
		if out, err := s.Purge.Run(ctx, gitstore.PurgeRequest{Match: planted}); err != nil || len(out.Left) > 0 {
			t.Errorf("behind a kill at %d: %v, %v", n, out.Left, err)
		}
		if got := holdsAnywhere(t, w, dir, planted); len(got) > 0 {
			t.Errorf("behind a kill at %d: still in %q", n, got)
		}
		wantList(t, told(t, s, id), "the word is [PURGED]", "and so on")
		_ = s.Close()
		_ = os.RemoveAll(w.Path(dir))
		if !killed {
			break
		}
		kills++
	}
	if kills < 5 {
		t.Errorf("killed %d times only", kills)
	}
}
