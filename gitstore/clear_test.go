package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A left is what somebody left behind: a record, and a lock that is so much younger.
type left struct {
	live         bool   // the record is held
	boot, host   string // "" is here
	moves        string // lines of the record
	lock         string // file below .git
	holds        string
	younger      time.Duration
	alsoLive     string // moves of a live writer besides
	liveSince    time.Duration
	wantRemoved  bool
	recordStays  bool
	otherLock    string // beside it, which goes too
	withoutTrail bool   // the record was cut short
}

const idA, idB = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"

// A lock goes if the record of a dead writer explains it and no living one may have
// made it. Every condition is taken away in turn.
func TestClearLocks(t *testing.T) {
	onMain, mainLock := "move "+idA+" refs/sage/heads/main\n", "refs/sage/heads/main.lock"
	graph, graphLock := "file COMMON/objects/info/commit-graph\n", "objects/info/commit-graph.lock"
	fold := onMain + "move - refs/sage/forks/main/aaaaaaaa\n"
	for name, c := range map[string]left{
		"empty":                       {moves: onMain, lock: mainLock, wantRemoved: true},
		"with the id":                 {moves: onMain, lock: mainLock, holds: idA + "\n", wantRemoved: true},
		"with half the id":            {moves: onMain, lock: mainLock, holds: idA[:20], wantRemoved: true},
		"a minute later":              {moves: onMain, lock: mainLock, younger: time.Minute, wantRemoved: true},
		"of a fork that is folded":    {moves: fold, lock: "refs/sage/forks/main/aaaaaaaa.lock", wantRemoved: true},
		"of packed refs":              {moves: fold, lock: "packed-refs.lock", otherLock: "packed-refs.new", wantRemoved: true},
		"of a file":                   {moves: graph, lock: graphLock, holds: "CGPH\x01\x00", wantRemoved: true},
		"of a file, of one who lives": {moves: graph, lock: graphLock, live: true, recordStays: true},
		"of a file, older":            {moves: graph, lock: graphLock, younger: -time.Second},
		"of another file":             {moves: graph, lock: "index.lock"},
		"before the last start":       {moves: onMain, lock: mainLock, boot: "earlier", wantRemoved: true},
		"in another container":        {moves: onMain, lock: mainLock, host: "earlier", wantRemoved: true},
		"on another machine":          {moves: onMain, lock: mainLock, boot: "other", host: "other", recordStays: true},
		"of one who lives":            {moves: onMain, lock: mainLock, live: true, recordStays: true},
		"of another ref":              {moves: onMain, lock: "refs/sage/heads/side.lock"},
		"with another id":             {moves: onMain, lock: mainLock, holds: idB + "\n"},
		"older than the record":       {moves: onMain, lock: mainLock, younger: -time.Second},
		"an hour later":               {moves: onMain, lock: mainLock, younger: time.Hour},
		"of packed refs, no delete":   {moves: onMain, lock: "packed-refs.lock", otherLock: "packed-refs.new"},
		"of packed refs, with text":   {moves: fold, lock: "packed-refs.lock", holds: "x"},
		"record cut short":            {moves: onMain, lock: mainLock, withoutTrail: true},
		"a living one came before":    {moves: onMain, lock: mainLock, younger: time.Minute, alsoLive: onMain, liveSince: time.Second, recordStays: true},
		"a living one came after":     {moves: onMain, lock: mainLock, alsoLive: onMain, liveSince: time.Second, wantRemoved: true},
		"a living one on other refs":  {moves: onMain, lock: mainLock, alsoLive: "move " + idA + " refs/sage/heads/side\n", wantRemoved: true},
		"a living one, another id": {moves: onMain, lock: mainLock, holds: idA + "\n", younger: time.Minute,
			alsoLive: strings.ReplaceAll(onMain, idA, idB), liveSince: time.Second, wantRemoved: true},
	} {
		t.Run(name, func(t *testing.T) {
			s, w := fresh(t)
			base := time.Now().Add(-10 * time.Minute).Truncate(time.Second)
			rec := leave(t, s, w, c, base)
			said := s.Ledger.ClearLocks()
			_, err := os.Lstat(w.Path("r/.git", c.lock))
			if removed := os.IsNotExist(err); removed != c.wantRemoved || removed != (len(said) == 1) {
				t.Errorf("removed: %v; %q", removed, said)
			}
			if c.otherLock != "" {
				if _, err := os.Lstat(w.Path("r/.git", c.otherLock)); os.IsNotExist(err) != c.wantRemoved {
					t.Errorf("%s: %v", c.otherLock, err)
				}
			}
			if _, err := os.Lstat(rec); (err == nil) != c.recordStays {
				t.Errorf("record: %v", err)
			}
		})
	}
}

// leave leaves it, and returns the record.
func leave(t *testing.T, s *Store, w *storetest.World, c left, base time.Time) string {
	t.Helper()
	s.Repo.Config("core.bare") // the git that reads it has ended then: one that starts beside us has our files open for a moment
	host, _ := os.Hostname()
	text := func(moves string) []byte {
		boot, host := fsx.Boot(), host
		if c.boot != "" {
			boot = c.boot
		}
		if c.host != "" {
			host = c.host
		}
		end := "end\n"
		if c.withoutTrail {
			end = ""
		}
		return fmt.Appendf(nil, "boot %s\nhost %s\npid 1\ngit 2\n%s%s", boot, host, strings.ReplaceAll(moves, "COMMON", s.Repo.Where.CommonDir), end)
	}
	hold := func(name, moves string, at time.Time, live bool) string {
		_ = os.MkdirAll(s.Repo.Dir("writers"), 0o777)
		h, err := fsx.Hold(s.Repo.Dir("writers", name))
		if err == nil {
			err = h.Write(text(moves))
		}
		if err != nil {
			t.Fatal(err)
		}
		if live {
			t.Cleanup(h.Release)
		} else {
			h.Release()
			released(t, s.Repo.Dir("writers", name))
		}
		if err := os.Chtimes(s.Repo.Dir("writers", name), at, at); err != nil {
			t.Fatal(err)
		}
		return s.Repo.Dir("writers", name)
	}
	for _, f := range []string{c.lock, c.otherLock} {
		if f == "" {
			continue
		}
		file := w.Path("r/.git", f)
		w.Write(filepath.Join("r/.git", f), c.holds)
		at := base.Add(c.younger)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if c.alsoLive != "" {
		hold("2-live", c.alsoLive, base.Add(c.liveSince), true)
	}
	return hold("1-x", c.moves, base, c.live)
}

// released waits until nobody holds a record: a program that another goroutine was
// just starting has all our files open until it runs.
func released(t *testing.T, name string) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 10*time.Second; {
		if _, _, left, err := fsx.ReadHeld(name); err != nil {
			t.Fatal(err)
		} else if left != nil {
			left.Release()
			return
		}
	}
	t.Fatalf("%s is held", name)
}

// A record that cannot be read may be a living writer's: nothing is removed.
func TestClearLocksUnreadable(t *testing.T) {
	s, w := fresh(t)
	c := left{moves: "move " + idA + " refs/sage/heads/main\n", lock: "refs/sage/heads/main.lock"}
	leave(t, s, w, c, time.Now().Add(-time.Minute))
	if err := os.Mkdir(s.Repo.Dir("writers", "0-odd"), 0o777); err != nil {
		t.Fatal(err)
	}
	if said := s.Ledger.ClearLocks(); len(said) != 0 {
		t.Error(said)
	}
}
