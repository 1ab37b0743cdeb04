package gitstore_test

import (
	"fmt"
	"testing"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// BenchmarkVaultPush pushes one new checkpoint where there are 1,000, beside a plain push of
// the same: docs/team.md has the numbers.
func BenchmarkVaultPush(b *testing.B) {
	w := storetest.New(b)
	ann := members(b, w, "ann", "bob")[0]
	w.Git("", "init", "-q", "--bare", "plain.git")
	for i := range 1000 {
		save(b, ann.Store, fmt.Sprintf("checkpoint %d", i))
	}
	plain := func() { w.Git("ann", "push", "-q", w.Path("plain.git"), mainRef+":"+mainRef) }
	b.Run("plain", func(b *testing.B) {
		plain()
		for b.Loop() {
			b.StopTimer()
			save(b, ann.Store, "one more")
			b.StartTimer()
			plain()
		}
	})
	b.Run("encrypted", func(b *testing.B) {
		ann.push()
		for b.Loop() {
			b.StopTimer()
			save(b, ann.Store, "one more")
			b.StartTimer()
			ann.push()
		}
	})
}
