package gitstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// Lines that were saved in one second are listed with no parent before its child,
// and so where the clock was set back.
func TestListsFollowDescent(t *testing.T) {
	for name, tick := range map[string]time.Duration{"one second": 0, "clock set back": -time.Hour, "clock goes on": time.Second} {
		t.Run(name, func(t *testing.T) {
			w := storetest.New(t)
			w.Repo("r")
			now := storetest.Epoch
			s := open(t, w, "r", func(o *gitstore.Options) { o.Now = func() time.Time { now = now.Add(tick); return now } })
			save(t, s, "main 0")
			for i := range 3 {
				line := fmt.Sprintf("line-%d", i)
				if _, err := s.Lines.Branch(ctx, line, "main"); err != nil {
					t.Fatal(err)
				}
				for _, on := range []string{line, line, "main"} {
					d := thesis(on)
					d.Line = on
					if _, err := s.Checkpoints.Save(ctx, d); err != nil {
						t.Fatal(err)
					}
				}
			}
			for _, q := range []gitstore.Query{{All: true}, {All: true, Max: 4}, {All: true, Max: 3, Skip: 2}, {Revs: []string{"line-0", "main", "line-2"}}} {
				recs, err := s.Commits.Log(ctx, q)
				if err != nil || len(recs) == 0 {
					t.Fatal(recs, err)
				}
				seen := map[string]bool{}
				for _, r := range recs {
					for _, p := range r.Parents {
						if seen[p] {
							t.Errorf("%+v: %s stands before its child %s", q, p[:8], r.ID[:8])
						}
					}
					seen[r.ID] = true
				}
			}
		})
	}
}
