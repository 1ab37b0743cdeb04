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
	fmt.Fprintln(t, "part\tact\tplanned\trun\tstruck\tacknowledged\trefused\tlost\twrong\tseconds")
	var all row
	sums := map[string]*row{}
	for _, r := range b.rows {
		r.print(t)
		if sums[r.part] == nil {
			sums[r.part] = &row{part: r.part, name: "all"}
		}
		sums[r.part].add(r)
		all.add(r)
	}
	for _, p := range parts {
		if r := sums[p.name]; r != nil {
			r.print(t)
		}
	}
	_ = t.Flush()
	b.showFails()
	fmt.Printf("torture: %d points planned, %d run: %s; %d acknowledged, lost: %d, wrong: %d\n", all.planned, all.run, struck(sums), all.acked, all.lost, all.wrong)
	switch {
	case all.lost+all.wrong > 0:
		return errors.New("what must hold does not")
	case all.planned == 0 || all.run < all.planned || all.hit < all.planned:
		return errors.New("fewer points than planned")
	}
	return nil
}

func (r *row) print(t *tabwriter.Writer) {
	fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\n", r.part, r.name, r.planned, r.run, r.hit, r.acked, r.refused, r.lost, r.wrong, r.took.Seconds())
}

func (r *row) add(o *row) {
	r.planned, r.run, r.hit, r.acked = r.planned+o.planned, r.run+o.run, r.hit+o.hit, r.acked+o.acked
	r.refused, r.lost, r.wrong, r.took = r.refused+o.refused, r.lost+o.lost, r.wrong+o.wrong, r.took+o.took
}

// struck says what was done at the points that were hit.
func struck(sums map[string]*row) string {
	var out []string
	for _, k := range []struct {
		what  string
		parts []string
	}{
		{"killed", []string{"sweep", "random"}},
		{"power cuts", []string{"power"}},
		{"failed calls", []string{"errors"}},
		{"sick disks", []string{"disk"}},
		{"bad times to index code", []string{"code"}},
	} {
		n := 0
		for _, p := range k.parts {
			if r := sums[p]; r != nil {
				n += r.hit
			}
		}
		out = append(out, fmt.Sprintf("%d %s", n, k.what))
	}
	return strings.Join(out, ", ")
}

func (b *bench) showFails() {
	for i, f := range b.fails {
		if i == maxShown {
			fmt.Printf("... and %d more\n", len(b.fails)-i)
			break
		}
		fmt.Println("FAILED", strings.ReplaceAll(f, "\n", " | "))
	}
}
