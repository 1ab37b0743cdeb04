package main

import (
	"fmt"
	"sync"
	"time"
)

// atOnce is how many sessions save at the same time.
const atOnce = 50

// crowd times saves of many sessions at once into one line: each waits for those before
// it, and what counts is when the median of them is through.
func (w *world) crowd(n int) ([]row, error) {
	dir, err := w.repository("crowd", 0, 0)
	if err != nil {
		return nil, err
	}
	least := w.gitAlone(dir)
	var took, alone []time.Duration
	for round := range max(3, n/8) {
		took = append(took, w.together(dir, round)...)
		alone = append(alone, least.time(round))
	}
	act := fmt.Sprintf("save, %d sessions at once", atOnce)
	return []row{judged(act, median(took), goal{{20, least}}, [][]time.Duration{alone})}, w.err
}

// together saves once in each of many sessions, all begun at the same moment.
func (w *world) together(dir string, round int) []time.Duration {
	took, errs := make([]time.Duration, atOnce), make([]error, atOnce)
	var all sync.WaitGroup
	for i := range atOnce {
		all.Go(func() {
			own := *w // time keeps the first error in its world
			c := w.sage("checkpoint", "save", "-m", fmt.Sprintf("thesis %d of round %d holds", i, round), "-c", "0.8").in(dir)
			c.env = []string{fmt.Sprintf("CLAUDE_CODE_SESSION_ID=crowd-%d", i)}
			took[i] = own.time(c)
			errs[i] = own.err
		})
	}
	all.Wait()
	for _, err := range errs {
		w.failed(err)
	}
	return took
}
