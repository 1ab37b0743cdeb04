// Package lanes lays a history out in columns, and draws each row of it by itself, so that
// a page may show any part of a long one.
package lanes

import (
	"fmt"
	"strings"
)

// The measures of a row in a drawing, in pixels.
const (
	Height = 34 // of a row
	Step   = 14 // from lane to lane
	margin = 11 // from the edge to the first lane
)

// Colours is how many a page has to give: a lane's is below it.
const Colours = 8

// A Commit is what a layout goes by.
type Commit struct {
	ID      string
	Parents []string
}

// A Row is a commit in its lane, and the lines of its row.
type Row struct {
	Lane   int
	Colour int
	Paths  []Path
}

// A Path is what a row has of one colour, as the d of an SVG path.
type Path struct {
	Colour int    `json:"colour"`
	D      string `json:"d"`
}

// X is the middle of a lane, and with how many there are the width of a drawing.
func X(lane int) int { return margin + Step*lane }

// A slot is a lane with the commit that it leads to.
type slot struct {
	want   string // "" is a free lane
	colour int
}

// Lay lays commits out, which are listed children first, and tells how many lanes they
// take. A lane leads from a commit to its first parent and ends there, or joins one to the
// left of it that leads there, too; a parent that is not behind its child in the list, for
// there is none or a clock was wrong, has no line.
func Lay(list []Commit) (rows []Row, width int) {
	at := make(map[string]int, len(list))
	for i, c := range list {
		at[c.ID] = i
	}
	l := &layout{}
	rows = make([]Row, len(list))
	for i, c := range list {
		var behind []string
		for _, p := range c.Parents {
			if n, ok := at[p]; ok && n > i {
				behind = append(behind, p)
			}
		}
		rows[i] = l.place(c.ID, behind)
	}
	return rows, len(l.slots)
}

// A layout is the lanes below the rows that were placed.
type layout struct {
	slots []slot
	next  int // colour
}

// place puts a commit below what was placed, and draws its row: what comes from above
// bends to it, what leads to others passes by, and below a line starts for each parent.
func (l *layout) place(id string, parents []string) Row {
	lane := l.leadingTo(id)
	if lane < 0 {
		lane = l.free()
	}
	d := &drawing{}
	for i, s := range l.slots {
		switch s.want {
		case "":
		case id:
			d.add(s.colour, X(i), 0, X(lane), Height/2)
			l.slots[i].want = ""
		default:
			d.add(s.colour, X(i), 0, X(i), Height)
		}
	}
	row := Row{Lane: lane, Colour: l.slots[lane].colour}
	for i, p := range parents {
		to := l.leadingTo(p)
		switch {
		case i == 0 && (to < 0 || to > lane): // two lanes may lead to one commit, where they meet
			to = lane
		case to >= 0:
		default:
			to = l.free()
		}
		l.slots[to].want = p
		d.add(l.slots[to].colour, X(lane), Height/2, X(to), Height)
	}
	row.Paths = d.paths
	return row
}

// leadingTo is the first lane to a commit, -1 if there is none.
func (l *layout) leadingTo(id string) int {
	for i, s := range l.slots {
		if s.want == id {
			return i
		}
	}
	return -1
}

// free is the first lane that leads nowhere, with the next colour.
func (l *layout) free() int {
	i := l.leadingTo("")
	if i < 0 {
		i = len(l.slots)
		l.slots = append(l.slots, slot{})
	}
	l.slots[i].colour = l.next % Colours
	l.next++
	return i
}

// A drawing is the lines of a row, those of a colour in one path.
type drawing struct{ paths []Path }

// add draws a line that leaves and arrives upright.
func (d *drawing) add(colour, x0, y0, x1, y1 int) {
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", x0, y0)
	if x0 == x1 {
		fmt.Fprintf(&b, "V%d", y1)
	} else {
		half := (y0 + y1) / 2
		fmt.Fprintf(&b, "C%d %d %d %d %d %d", x0, half, x1, half, x1, y1)
	}
	for i := range d.paths {
		if d.paths[i].Colour == colour {
			d.paths[i].D += b.String()
			return
		}
	}
	d.paths = append(d.paths, Path{colour, b.String()})
}
