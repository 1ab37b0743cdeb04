// Package forms finds secrets in text that is written in another way than it is read: with escapes,
// with characters of no width, in base64.
package forms

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
)

// unfoldMargin is how much of the text around a mark is read again without the marks.
const unfoldMargin = 1024

// FindFolded reports secrets that are written in another way than they are read: with
// characters of no width or codes of a terminal in them, with lines that go on behind a
// backslash, with \u0041, \x41, %41 or &#65; for A. It reads the stretches around such marks once more as a person
// would read them.
func FindFolded(s string, found *spans.Set) {
	if found.Depth > 0 {
		return
	}
	first := nextFold(s, 0)
	for first >= 0 {
		from := max(0, first-unfoldMargin)
		for from > 0 && first-from < unfoldMargin+256 && s[from-1] > ' ' {
			from--
		}
		last := first
		for {
			_, n := foldAt(s, last)
			next := nextFold(s, last+max(1, n))
			if next < 0 || next-last > 2*unfoldMargin {
				first = next
				break
			}
			last = next
		}
		to := min(len(s), last+unfoldMargin)
		for to < len(s) && to-last < unfoldMargin+256 && s[to] > ' ' {
			to++
		}
		findUnfolded(s, from, to, found)
	}
}

// A seam says which byte of the text a byte of the unfolded text stands for. Between two
// seams the bytes are the same.
type seam struct{ out, In int }

// findUnfolded reads s[from:to] without its marks and reports what is found there at the
// place where it stands in s.
func findUnfolded(s string, from, to int, found *spans.Set) {
	var out strings.Builder
	out.Grow(to - from)
	seams := []seam{{0, from}}
	for at := from; at < to; {
		next := nextFold(s[:to], at)
		if next < 0 {
			out.WriteString(s[at:to])
			break
		}
		out.WriteString(s[at:next])
		text, n := foldAt(s[:to], next)
		out.WriteString(text)
		at = next + n
		if text != "" {
			seams = append(seams, seam{out.Len() - len(text), next})
		}
		if last := &seams[len(seams)-1]; last.out == out.Len() {
			last.In = at
		} else {
			seams = append(seams, seam{out.Len(), at})
		}
	}
	inner := spans.Inner(out.String(), found)
	k := 0
	for _, x := range inner.List {
		for k+1 < len(seams) && seams[k+1].out <= x.From {
			k++
		}
		j := k
		for j+1 < len(seams) && seams[j+1].out < x.To {
			j++
		}
		end := seams[j].In + x.To - seams[j].out
		if j+1 < len(seams) && end > seams[j+1].In {
			end = seams[j+1].In // all of a \u0041
		} else if j+1 < len(seams) && seams[j+1].out == x.To && seams[j].out+1 >= x.To && seams[j].In+1 < seams[j+1].In {
			end = seams[j+1].In
		}
		begin := seams[k].In + x.From - seams[k].out
		found.Add(x.Rule, begin, min(end, to))
	}
}

// nextFold returns where the next mark begins, or -1.
func nextFold(s string, at int) int {
	for ; at < len(s); at++ {
		switch s[at] {
		case '\\', '%', '&', escape, 0xc2, 0xcd, 0xe1, 0xe2, 0xef, 0xf3:
			if _, n := foldAt(s, at); n > 0 {
				return at
			}
		}
	}
	return -1
}

// foldAt returns what the mark at s[at] stands for, "" for nothing, and its length, or 0
// when there is none.
func foldAt(s string, at int) (text string, n int) {
	rest := s[at:]
	switch s[at] {
	case '\\':
		return escapeAt(s, at)
	case '%':
		if len(rest) > 2 && chars.In(rest[1], chars.Hexa) && chars.In(rest[2], chars.Hexa) && rest[1] >= '2' && rest[1] <= '7' {
			return plainByte(rest[1:3], 3)
		}
	case '&':
		return entityAt(rest)
	case escape:
		return codeAt(s, at+1, 1)
	case 0xc2:
		if strings.HasPrefix(rest, "\u00ad") {
			return "", 2
		}
		if strings.HasPrefix(rest, "\u009b") {
			return sequenceAt(s, at+2, 2)
		}
	case 0xcd:
		if strings.HasPrefix(rest, "\u034f") {
			return "", 2
		}
	case 0xe1:
		if strings.HasPrefix(rest, "\u180e") || strings.HasPrefix(rest, "\u115f") {
			return "", 3
		}
	case 0xe2:
		if len(rest) > 2 && (rest[1] == 0x80 && (rest[2] >= 0x8b && rest[2] <= 0x8f || rest[2] >= 0xaa && rest[2] <= 0xae) || rest[1] == 0x81 && rest[2] >= 0xa0 && rest[2] <= 0xaf) {
			return "", 3
		}
	case 0xef:
		if len(rest) > 2 && (rest[1] == 0xbb && rest[2] == 0xbf || rest[1] == 0xb8 && rest[2] <= 0x8f) {
			return "", 3
		}
	case 0xf3:
		if len(rest) > 3 && rest[1] == 0xa0 {
			return "", 4
		}
	}
	return "", 0
}

// escapeAt reads a line that goes on, \u0041 and \x41. Any number of backslashes before
// the letter is one: JSON in JSON has many.
func escapeAt(s string, at int) (text string, n int) {
	i := at + 1
	if i < len(s) && (s[i] == '\n' || s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n') {
		for i < len(s) && s[i] <= ' ' && s[i] != '\n' {
			i++
		}
		return "", i + 1 - at
	}
	for i < len(s) && i-at < 16 && s[i] == '\\' {
		i++
	}
	for _, name := range []string{"x1b[", "x1B[", "u001b[", "u001B[", "033[", "e["} { // a code of a terminal, as sources have it
		if strings.HasPrefix(s[i:], name) {
			i += len(name)
			return sequenceAt(s, i, i-at)
		}
	}
	switch {
	case i+4 < len(s) && s[i] == 'u' && chars.Run(s[:i+5], i+1, chars.Hexa) == i+5:
		v, _ := strconv.ParseUint(s[i+1:i+5], 16, 32)
		switch _, hidden := foldRune(rune(v)); {
		case hidden:
			return "", i + 5 - at
		case v >= 0xd800 && v < 0xe000 || v < ' ' && v != '\n' && v != '\t':
			return "", 0
		}
		return string(rune(v)), i + 5 - at
	case i+2 < len(s) && s[i] == 'x' && chars.Run(s[:i+3], i+1, chars.Hexa) == i+3:
		return plainByte(s[i+1:i+3], i+3-at)
	case i == at+3 && i < len(s) && s[i] == 'n': // \\\n is a line that goes on, in JSON
		return "", i + 1 - at
	}
	return "", 0
}

const (
	escape = 0x1b
	// mostCode is how long a code of a terminal is at most, in bytes.
	mostCode = 256
)

// codeAt reads what a terminal obeys behind its escape, which began n bytes before s[at].
func codeAt(s string, at, n int) (text string, _ int) {
	switch {
	case at == len(s):
	case s[at] == '[':
		return sequenceAt(s, at+1, n+1)
	case s[at] == ']': // such as a title or a link, up to a bell or another escape
		for i := at + 1; i < len(s) && i-at < mostCode && s[i] != '\n'; i++ {
			if s[i] == escape && (i+1 == len(s) || s[i+1] != '\\') {
				break
			}
			if s[i] == '\a' {
				return "", i + 1 - at + n
			}
			if s[i] == escape {
				return "", i + 2 - at + n
			}
		}
	case s[at] >= '(' && s[at] <= '/' && at+1 < len(s) && s[at+1] > ' ' && s[at+1] <= '~': // a set of letters
		return "", n + 2
	}
	return "", n
}

// sequenceAt reads a sequence such as the 31m of a colour, of which n bytes are before s[at]. Who
// moves the cursor begins another word.
func sequenceAt(s string, at, n int) (text string, _ int) {
	i := at
	for i < len(s) && i-at < mostCode && s[i] >= ' ' && s[i] <= '?' {
		i++
	}
	switch {
	case i == len(s) || s[i] < '@' || s[i] > '~':
		return "", 0
	case s[i] <= 'H' || s[i] == 'd' || s[i] == 'f':
		text = " "
	}
	return text, i + 1 - at + n
}

// foldRune reports whether r is a character that nobody sees.
func foldRune(r rune) (string, bool) {
	var b [4]byte
	n := utf8.EncodeRune(b[:], r)
	text, size := "", 0
	if b[0] >= 0x80 {
		text, size = foldAt(string(b[:n]), 0)
	}
	return text, size > 0
}

// plainByte returns the character of two hex digits if it is one that text has.
func plainByte(hex string, n int) (string, int) {
	v, err := strconv.ParseUint(hex, 16, 8)
	if err != nil || v < ' ' || v > '~' {
		return "", 0
	}
	return string(rune(v)), n
}

// entityAt reads an entity of HTML and XML.
func entityAt(s string) (text string, n int) {
	end := strings.IndexByte(s[:min(len(s), 9)], ';')
	if end < 2 {
		return "", 0
	}
	switch name := s[1:end]; {
	case name == "quot":
		return `"`, end + 1
	case name == "apos":
		return "'", end + 1
	case name == "amp":
		return "&", end + 1
	case name == "lt":
		return "<", end + 1
	case name == "gt":
		return ">", end + 1
	case name == "nbsp":
		return " ", end + 1
	case name[0] == '#':
		base, digits := 10, name[1:]
		if len(digits) > 1 && digits[0]|0x20 == 'x' {
			base, digits = 16, digits[1:]
		}
		if v, err := strconv.ParseUint(digits, base, 16); err == nil && v >= ' ' && v <= '~' {
			return string(rune(v)), end + 1
		}
	}
	return "", 0
}
