package lineedit

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// typed is what an editor makes of keys, line by line, with what ended it.
func typed(keys string) (lines []string, err error) {
	e := New(strings.NewReader(keys), io.Discard, "> ", func() (int, int) { return 40, 10 })
	for {
		line, err := e.ReadLine()
		if errors.Is(err, ErrInterrupted) {
			line += "^C"
		} else if err != nil {
			return lines, err
		}
		lines = append(lines, line)
	}
}

func TestKeys(t *testing.T) {
	for keys, want := range map[string][]string{
		"one\rtwo\n":                                  {"one", "two"},
		"half":                                        nil,
		"\x04more\r":                                  nil, // Ctrl-D ends
		"a\x04\x7fb\r":                                {"b"},
		"lost\x03kept\r\x03":                          {"lost^C", "kept", "^C"},
		"ab\x1b[D\x1b[DX\r":                           {"Xab"},
		"ab\x1b[HX\x1b[FY\r":                          {"XabY"},
		"ab\x01X\x05Y\r":                              {"XabY"},
		"ab\x02\x02\x06X\r":                           {"aXb"},
		"日本\x1b[D\x7f語\r":                             {"語本"},
		"e\u0301a\x1b[D\x7f\r":                        {"a"}, // one character of two runes
		"👩‍👩‍👧x\x02\x7f\r":                            {"x"},
		"ab\x01\x1b[3~\r":                             {"b"},
		"one two three\x17four\r":                     {"one two four"},
		"one two\x1bb\x0b2\r":                         {"one 2"},
		"one two\x1b[1;5D\x15\r":                      {"two"},
		"one two\x01\x1bfX\r":                         {"oneX two"},
		"one\rtwo\r\x1b[A\x1b[A!\r":                   {"one", "two", "one!"},
		"one\rtwo\rnew\x10\x10\x10\x0e\x0e!\r":        {"one", "two", "new!"},
		"one\rone\r\x10\x10!\r":                       {"one", "one", "one!"},
		"a\tb\a\x1b[99;9Zc\r":                         {"a bc"},
		"\x1b[200~one\rtwo\x03\x1b[31m\n\x1b[201~!\r": {"one\ntwo[31m!"},
		"a\x1b[200~b\r\nc\x1b[201~\x02X\r":            {"ab\nXc"},
	} {
		if got, err := typed(keys); !slices.Equal(got, want) || !errors.Is(err, io.EOF) {
			t.Errorf("%q: %q, %v; want %q", keys, got, err, want)
		}
	}
}

// A screen shows what an editor writes.
type screen struct {
	cells    [][]rune
	row, col int
}

func (s *screen) Write(b []byte) (int, error) {
	n := len(b)
	for text := []rune(string(b)); len(text) > 0; text = text[1:] {
		switch r := text[0]; r {
		case '\r':
			s.col = 0
		case '\n':
			s.row++
		case 0x1b:
			i := slices.IndexFunc(text[2:], func(r rune) bool { return r >= '@' }) + 2
			s.sequence(string(text[2:i]), text[i])
			text = text[i:]
		default:
			s.put(r)
		}
	}
	return n, nil
}

func (s *screen) put(r rune) {
	for len(s.cells) <= s.row {
		s.cells = append(s.cells, nil)
	}
	line := append(s.cells[s.row], []rune(strings.Repeat(" ", max(0, s.col-len(s.cells[s.row]))))...)
	line = append(line[:s.col], r)
	if s.col++; r > 0x2e80 { // the tests' wide ones
		line = append(line, '·')
		s.col++
	}
	s.cells[s.row] = line
}

func (s *screen) sequence(args string, last rune) {
	n := 1
	if args != "" && strings.Trim(args, "0123456789") == "" {
		n = 0
		for _, r := range args {
			n = 10*n + int(r-'0')
		}
	}
	switch last {
	case 'A':
		s.row -= n
	case 'C':
		s.col += n
	case 'J':
		s.cells = s.cells[:min(len(s.cells), s.row+1)]
		if s.row < len(s.cells) {
			s.cells[s.row] = s.cells[s.row][:min(len(s.cells[s.row]), s.col)]
		}
	}
}

func (s *screen) String() string {
	var rows []string
	for _, r := range s.cells {
		rows = append(rows, string(r))
	}
	return strings.Join(rows, "|")
}

// What is seen is what was typed, broken where a row ends, with the cursor where it is.
func TestScreen(t *testing.T) {
	for _, tt := range []struct {
		keys, want string
		row, col   int
	}{
		{"abc", "> abc", 0, 5},
		{"abc\x02", "> abc", 0, 4},
		{"abcdefg", "> abcdefg", 0, 9},
		{"abcdefghi", "> abcdefg|hi", 1, 2},
		{"日本語ab", "> 日·本·語·a|b", 1, 1},
		{"abcdef日", "> abcdef|日·", 1, 2}, // there is no half of a wide one
		{"日本\x02", "> 日·本·", 0, 4},
		{"\x1b[200~ab\rcd\x1b[201~", "> ab|  cd", 1, 4},
		{"abcdefghij\x01", "> abcdefg|hij", 0, 2},
		{"abcdefghij\x15", "> ", 0, 2},
		{"1234567abcdefghiABCDEFGHIxyz", "abcdefghi|ABCDEFGHI|xyz", 2, 3}, // of four rows three fit
		{"1234567abcdefghiABCDEFGHIxyz\x01", "> 1234567|abcdefghi|ABCDEFGHI", 0, 2},
	} {
		var s screen
		in, w := io.Pipe()
		asked := make(chan struct{}) // the editor has drawn, and wants a key
		e := New(&asking{in, asked}, &s, "> ", func() (int, int) { return 10, 3 })
		go func() { _, _ = e.ReadLine() }()
		for _, k := range tt.keys {
			<-asked
			_, _ = io.WriteString(w, string(k))
		}
		<-asked
		if s.String() != tt.want || s.row != tt.row || s.col != tt.col {
			t.Errorf("%q: %q, cursor in %d, %d; want %q, %d, %d", tt.keys, s.String(), s.row, s.col, tt.want, tt.row, tt.col)
		}
		w.Close()
	}
}

// An asking reader says when it is asked.
type asking struct {
	io.Reader
	asked chan struct{}
}

func (a *asking) Read(b []byte) (int, error) {
	a.asked <- struct{}{}
	return a.Reader.Read(b)
}

// A window that was made narrower has broken the rows above the cursor.
func TestRowsAbove(t *testing.T) {
	d := drawn{above: []int{59, 0, 20}, col: 25}
	for columns, want := range map[int]int{60: 3, 40: 4, 20: 6} {
		if got := d.rowsAbove(columns); got != want {
			t.Errorf("%d columns: %d rows, want %d", columns, got, want)
		}
	}
}
