package term

import (
	"bytes"
	"strings"
	"testing"
)

// Case L170: columns are counted, not bytes.
func TestClip(t *testing.T) {
	for _, tt := range []struct {
		s     string
		width int
		want  string
	}{
		{"plain", 5, "plain"},
		{"plainly", 5, "plai…"},
		{"日本語の文", 10, "日本語の文"},
		{"日本語の文", 9, "日本語の…"},
		{"日本語の文", 8, "日本語…"}, // half a letter does not fit
		{"👩‍👩‍👧‍👧 family", 4, "👩‍👩‍👧‍👧 …"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		if got := Clip(tt.s, tt.width); got != tt.want {
			t.Errorf("clip(%q, %d) = %q, want %q", tt.s, tt.width, got, tt.want)
		}
	}
}

// TestTableHidesNothing makes sure that a cell can forge neither a row nor a
// colour, whichever way the table is printed.
// It is case L168.
func TestTableHidesNothing(t *testing.T) {
	for _, tty := range []bool{true, false} {
		var out bytes.Buffer
		tbl := Table{Head: []string{"a", "b"}}
		tbl.Add("one\ttwo\nthree", "\x1b[31mred\u202e")
		if err := tbl.Print(&Terminal{Out: &out, TTY: tty, Width: 80}); err != nil {
			t.Fatal(err)
		}
		rows := strings.Split(strings.TrimSpace(out.String()), "\n")
		if last := rows[len(rows)-1]; strings.ContainsAny(last, "\x1b\u202e") || !strings.Contains(last, "one two three") {
			t.Errorf("tty %v: %q", tty, out.String())
		}
	}
}

// What the last column cannot give is taken of those that may be cut, and of no other.
func TestTableFits(t *testing.T) {
	for cut, want := range map[string]string{
		"":    "an-id-that-is-long-itself  2026-11-21  differs from what is long as well  The title…\n",
		"WHY": "an-id-that-is-long-itself  2026-11-21  differs fro…  The title…\n",
		"ID":  "an-id-that-…  2026-11-21  differs from what is long as well  The title…\n",
	} {
		var out bytes.Buffer
		tbl := Table{Head: []string{"ID", "DATE", "WHY", "TITLE"}}
		if cut != "" {
			tbl.Cut = []string{cut}
		}
		tbl.Add("an-id-that-is-long-itself", "2026-11-21", "differs from what is long as well", "The title is long.")
		if err := tbl.Print(&Terminal{Out: &out, TTY: true, Width: 60}); err != nil {
			t.Fatal(err)
		}
		if _, row, _ := strings.Cut(out.String(), "\n"); row != want {
			t.Errorf("%q: %q, want %q", cut, row, want)
		}
	}
}
