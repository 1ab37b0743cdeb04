//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"
)

// A row counts the points of one act.
type row struct {
	part, name                        string
	planned, run, hit, acked, refused int
	lost, wrong                       int
	took                              time.Duration
}

func (b *bench) row(part, name string, planned int) *row {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &row{part: part, name: name, planned: planned}
	b.rows = append(b.rows, r)
	return r
}

// count enters a point that was run, and what the oracle said of it.
func (b *bench) count(r *row, point string, hit, acked, refused bool, v *verdict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r.run++
	r.hit += one(hit)
	r.acked += one(acked)
	r.refused += one(refused)
	r.lost += len(v.lost)
	r.wrong += one(len(v.wrong) > 0)
	if !v.ok() {
		b.fails = append(b.fails, fmt.Sprintf("%s, %s, %s: %s", r.part, r.name, point, v))
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

const maxShown = 40

// show prints the table, the failures, and one line that sums up.
func (b *bench) show() error {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "part\tact\tplanned\trun\thit\tacknowledged\trefused\tlost\twrong\tseconds")
	var s row
	for _, r := range b.rows {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\n", r.part, r.name, r.planned, r.run, r.hit, r.acked, r.refused, r.lost, r.wrong, r.took.Seconds())
		s.planned, s.run, s.hit, s.acked = s.planned+r.planned, s.run+r.run, s.hit+r.hit, s.acked+r.acked
		s.lost, s.wrong = s.lost+r.lost, s.wrong+r.wrong
	}
	_ = t.Flush()
	for i, f := range b.fails {
		if i == maxShown {
			fmt.Printf("... and %d more\n", len(b.fails)-i)
			break
		}
		fmt.Println("FAILED", strings.ReplaceAll(f, "\n", " | "))
	}
	fmt.Printf("torture: %d points planned, %d run, %d hit, %d acknowledged, lost: %d, wrong: %d\n", s.planned, s.run, s.hit, s.acked, s.lost, s.wrong)
	switch {
	case s.lost+s.wrong > 0:
		return errors.New("what must hold does not")
	case s.planned == 0 || s.run < s.planned || s.hit < s.planned:
		return errors.New("fewer points than planned")
	}
	return nil
}
