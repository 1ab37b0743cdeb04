package lanes

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
)

// A drawing is what it should be: what leaves a row at the bottom arrives at the top of the
// next, and each commit has a line to each parent that is behind it.
func TestRowsJoin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		var list []Commit
		for i := range n { // the newest first, as lists are
			c := Commit{ID: fmt.Sprint(i)}
			for range rnd.IntN(3) {
				if p := i + 1 + rnd.IntN(6); p < n+2 { // some are not there
					c.Parents = append(c.Parents, fmt.Sprint(p))
				}
			}
			list = append(list, c)
		}
		rows, width := Lay(list)
		below := map[int]bool{}
		for i, r := range rows {
			above, out, starts := ends(t, r)
			if !same(below, above) {
				t.Fatalf("%d commits, row %d: %v comes from above, %v left", n, i, above, below)
			}
			if r.Lane >= width || r.Colour >= Colours {
				t.Errorf("row %d: %+v of %d lanes", i, r, width)
			}
			want := map[string]bool{}
			for _, p := range list[i].Parents {
				if k, _ := strconv.Atoi(p); k < n {
					want[p] = true
				}
			}
			if starts > len(list[i].Parents) || len(want) > 0 && starts == 0 {
				t.Errorf("row %d: %d lines for %v", i, starts, list[i].Parents)
			}
			below = out
		}
		if len(below) > 0 {
			t.Errorf("%d commits: %v lead nowhere", n, below)
		}
	}
}

func TestLay(t *testing.T) {
	rows, width := Lay([]Commit{{"m", []string{"b", "a"}}, {"a", []string{"r"}}, {"b", []string{"r"}}, {"r", nil}})
	if width != 2 || rows[0].Lane != 0 || rows[1].Lane != 1 || rows[2].Lane != 0 || rows[3].Lane != 0 || len(rows[0].Paths) != 2 || len(rows[3].Paths) == 0 {
		t.Errorf("%d %+v", width, rows)
	}
	if rows, width := Lay(nil); len(rows) != 0 || width != 0 {
		t.Errorf("%v %d", rows, width)
	}
	// a parent that the list has before its child, as clocks may have it, has no line
	if rows, _ := Lay([]Commit{{"p", nil}, {"c", []string{"p"}}}); len(rows[0].Paths)+len(rows[1].Paths) != 0 {
		t.Errorf("%+v", rows)
	}
}

var segment = regexp.MustCompile(`M(\d+) (\d+)(?:V(\d+)|C\d+ \d+ \d+ \d+ (\d+) (\d+))`)

// ends are where the lines of a row cross its top and its bottom, and how many start at its commit.
func ends(t *testing.T, r Row) (top, bottom map[int]bool, starts int) {
	top, bottom = map[int]bool{}, map[int]bool{}
	for _, p := range r.Paths {
		for _, m := range segment.FindAllStringSubmatch(p.D, -1) {
			x0, y0, x1, y1 := m[1], m[2], m[1], m[3]
			if m[4] != "" {
				x1, y1 = m[4], m[5]
			}
			a, _ := strconv.Atoi(x0)
			b, _ := strconv.Atoi(x1)
			if y0 == "0" {
				top[a] = true
			} else if a != X(r.Lane) {
				t.Errorf("%s starts beside its commit", m[0])
			} else {
				starts++
			}
			if y1 == strconv.Itoa(Height) {
				bottom[b] = true
			}
		}
	}
	return top, bottom, starts
}

func same(a, b map[int]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}

func BenchmarkLay(b *testing.B) {
	var list []Commit
	for i := range 10_000 {
		list = append(list, Commit{fmt.Sprint(i), []string{fmt.Sprint(i + 1), fmt.Sprint(i + 2 + i%9)}})
	}
	for b.Loop() {
		Lay(list)
	}
}
