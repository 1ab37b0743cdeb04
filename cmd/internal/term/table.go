package term

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// A Table is rows of cells: aligned under a header on a terminal, separated by
// tabs without a header in a pipe. The last column takes what width is left; where that is too
// little, those named by Cut are cut as well, one after the other.
type Table struct {
	Head  []string
	Cut   []string
	rows  [][]string
	Paint func(column int, cell string) string // after the width is known; nil paints nothing
}

// PaintIDs paints the first column, which has ids.
func (t *Table) PaintIDs(p Palette) {
	t.Paint = func(column int, cell string) string {
		if column == 0 {
			return p.ID(cell)
		}
		return cell
	}
}

// Add adds a row. Cells are made visible here, so no caller can forget it.
func (t *Table) Add(cells ...string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = Visible(c)
	}
	t.rows = append(t.rows, row)
}

// Drop takes out a column all of whose cells say nothing.
func (t *Table) Drop(head string, void func(cell string) bool) {
	at := slices.Index(t.Head, head)
	if at < 0 || slices.ContainsFunc(t.rows, func(row []string) bool { return !void(row[at]) }) {
		return
	}
	t.Head = slices.Delete(slices.Clone(t.Head), at, at+1)
	for i := range t.rows {
		t.rows[i] = slices.Delete(t.rows[i], at, at+1)
	}
}

// Print writes the table as fits the output of a.
func (t *Table) Print(a *Terminal) error {
	if a.TTY {
		return t.aligned(a.Out, a.Width)
	}
	for _, row := range t.rows {
		if _, err := fmt.Fprintln(a.Out, strings.Join(t.painted(row), "\t")); err != nil {
			return err
		}
	}
	return nil
}

// aligned writes the table for a terminal of so many columns; 0 is any number.
func (t *Table) aligned(w io.Writer, width int) error {
	if len(t.rows) == 0 {
		return nil
	}
	wide := t.widths(width)
	for i, row := range append([][]string{t.Head}, t.rows...) {
		line, cells := "", make([]string, len(row))
		for c, cell := range row {
			cells[c] = Clip(cell, wide[c])
		}
		painted := cells
		if i > 0 {
			painted = t.painted(cells)
		}
		for c := range cells {
			line += painted[c] + strings.Repeat(" ", wide[c]-uniseg.StringWidth(cells[c])+2)
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

// How wide a column is at least that is cut: the last, and any other.
const leastLast, leastCut = 10, 12

// widths are the widths of the columns, cut to fit.
func (t *Table) widths(width int) []int {
	wide, sum := make([]int, len(t.Head)), 0
	for c, h := range t.Head {
		wide[c] = len(h)
		for _, row := range t.rows {
			wide[c] = max(wide[c], uniseg.StringWidth(row[c]))
		}
		sum += wide[c] + 2
	}
	over := sum - 2 - width
	cut := func(c, least int) {
		by := max(min(over, wide[c]-least), 0)
		wide[c], over = wide[c]-by, over-by
	}
	if width > 0 {
		cut(len(wide)-1, leastLast)
		for _, head := range t.Cut {
			cut(slices.Index(t.Head, head), leastCut)
		}
	}
	return wide
}

func (t *Table) painted(row []string) []string {
	if t.Paint == nil {
		return row
	}
	out := make([]string, len(row))
	for c, cell := range row {
		out[c] = t.Paint(c, cell)
	}
	return out
}

// Fold breaks the lines of a text that are wider than a terminal between words, or within
// one that is wider itself; what follows stands below the text of its line, behind the
// mark of a list. A pipe gets all lines as they are.
func (t *Terminal) Fold(text string) string {
	if !t.TTY || t.Width == 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = foldLine(line, t.Width)
	}
	return strings.Join(lines, "\n")
}

func foldLine(line string, width int) string {
	if uniseg.StringWidth(line) <= width {
		return line
	}
	indent := strings.Repeat(" ", min(len(line)-len(strings.TrimLeft(line, " -*>")), width/2))
	var b strings.Builder
	for rest := line; ; {
		cut, used, blank := 0, 0, 0 // blank is behind the last one that fits
		for state, s := -1, rest; s != ""; {
			cluster, left, w, next := uniseg.FirstGraphemeClusterInString(s, state)
			if cut > 0 && used+w > width && cluster != " " {
				break
			}
			cut, used, s, state = cut+len(cluster), used+w, left, next
			if cluster == " " && strings.TrimLeft(rest[:cut], " -*>") != "" {
				blank = cut
			}
		}
		if cut == len(rest) {
			return b.String() + rest
		}
		if blank > 0 {
			cut = blank
		}
		b.WriteString(strings.TrimRight(rest[:cut], " ") + "\n")
		rest = indent + strings.TrimLeft(rest[cut:], " ")
	}
}

// Clip shortens a line to the width of the terminal; a pipe gets all of it.
func (t *Terminal) Clip(line string) string {
	if !t.TTY || t.Width == 0 {
		return line
	}
	return Clip(line, t.Width)
}

// Clip shortens s to so many columns of a terminal. Clusters such as an emoji
// with its modifiers stay whole.
func Clip(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	var b strings.Builder
	state, used := -1, 0
	for s != "" {
		cluster, rest, w, next := uniseg.FirstGraphemeClusterInString(s, state)
		if used+w > width-1 {
			break
		}
		b.WriteString(cluster)
		s, state, used = rest, next, used+w
	}
	return b.String() + "…"
}
