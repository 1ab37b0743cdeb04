//go:build unix

package procs

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// A feat is what a crowd did.
type feat struct {
	mu    sync.Mutex
	ids   []string
	times []time.Duration
}

func (f *feat) done(id string, took time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ids, f.times = append(f.ids, id), append(f.times, took)
}

// crowd lets n processes save at once, one after the other each times, and returns
// what was acknowledged. pick says who the i-th is and where it saves.
func crowd(t *testing.T, n, each int, pick func(i int) (p *prog, args []string)) *feat {
	t.Helper()
	f := &feat{}
	var wg sync.WaitGroup
	for i := range n {
		p, args := pick(i)
		wg.Go(func() {
			for k := range each {
				began := time.Now()
				id, err := p.save(fmt.Sprintf("thought %d of %d", k, i), args...)
				if err != nil {
					t.Errorf("process %d: %v", i, err)
					return
				}
				f.done(id, time.Since(began))
			}
		})
	}
	wg.Wait()
	slices.Sort(f.times)
	if len(f.times) > 0 {
		t.Logf("%d saves by %d processes at once: median %v, slowest %v each", len(f.times), n,
			f.times[len(f.times)/2].Round(time.Millisecond), f.times[len(f.times)-1].Round(time.Millisecond))
	}
	return f
}

// Case C30: so many processes at once on one line make one chain, and on a line for
// each of them a chain for each. None is lost.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	t.Run("one line", func(t *testing.T) {
		p := world(t, built)
		f := crowd(t, crowdSize, 2, func(int) (*prog, []string) { return p, []string{"--line", "main"} })
		p.holds(f.ids...)
		if got := len(p.chain("refs/sage/heads/main")); got != 2*crowdSize {
			t.Errorf("%d in the chain, want %d", got, 2*crowdSize)
		}
	})
	t.Run("a line each", func(t *testing.T) {
		p := world(t, built)
		f := crowd(t, crowdSize, 2, func(i int) (*prog, []string) { return p, []string{"--line", fmt.Sprint("line-", i)} })
		p.holds(f.ids...)
		for i := range crowdSize {
			if got := len(p.chain(fmt.Sprint("refs/sage/heads/line-", i))); got != 2 {
				t.Errorf("%d on line %d, want 2", got, i)
			}
		}
	})
}
