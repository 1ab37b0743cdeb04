package main

import (
	"fmt"
	"sync"
	"time"
)

// atOnce is how many sessions save at the same time.
const atOnce = 50

// crowd times saves of many sessions at once into one line: each waits for those before
// it, and what counts is when the median of them is through. The second goal is what one save
// may cost beside git, where as many gits as saves share the machine: on two cores these alone
// take 37 G, nearly twice the first.
func (w *world) crowd(n int) ([]row, error) {
	dir, err := w.repository("crowd", 0, 0)
	if err != nil {
		return nil, err
	}
	alone, least := w.gitAlone(dir), w.leastSave(dir)
	all := unit{"G at once", nil}
	var took, single, many []time.Duration
	for round := range max(3, n/8) {
		took = append(took, w.together(func(i int) command {
			c := w.sage("checkpoint", "save", "-m", fmt.Sprintf("thesis %d of round %d holds", i, round), "-c", "0.8").in(dir)
			c.env = []string{fmt.Sprintf("CLAUDE_CODE_SESSION_ID=crowd-%d", i)}
			return c
		})...)
		single = append(single, alone.time(round))
		many = append(many, w.together(func(i int) command { return least(fmt.Sprintf("refs/bench/floor-%d", i), round) })...)
	}
	act := fmt.Sprintf("save, %d sessions at once", atOnce)
	return []row{
		judged(act, median(took), goal{{20, alone}}, [][]time.Duration{single}),
		judged(act+", beside as many gits", median(took), goal{{4, all}}, [][]time.Duration{many}),
	}, w.err
}

// together runs a command for each of many sessions, all begun at the same moment.
func (w *world) together(one func(i int) command) []time.Duration {
	took, errs := make([]time.Duration, atOnce), make([]error, atOnce)
	var all sync.WaitGroup
	for i := range atOnce {
		all.Go(func() {
			own := *w // time keeps the first error in its world
			took[i] = own.time(one(i))
			errs[i] = own.err
		})
	}
	all.Wait()
	for _, err := range errs {
		w.failed(err)
	}
	return took
}
