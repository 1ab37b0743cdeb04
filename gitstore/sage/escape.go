package sage

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text in the Markdown body is written as it is, but for what a line of
// Markdown cannot hold, which becomes a numeric character reference: &#13;.
// What reads like such a reference begins with &amp; instead of &.

// reference reads the character reference at the start of s, which is &amp;
// or a decimal number of a Unicode character, and returns its length, or 0.
func reference(s string) (rune, int) {
	if strings.HasPrefix(s, "&amp;") {
		return '&', len("&amp;")
	}
	if !strings.HasPrefix(s, "&#") {
		return 0, 0
	}
	end := 2
	for end < len(s) && end < 9 && '0' <= s[end] && s[end] <= '9' {
		end++
	}
	if end == 2 || end == len(s) || s[end] != ';' {
		return 0, 0
	}
	n, err := strconv.Atoi(s[2:end])
	if err != nil || !utf8.ValidRune(rune(n)) {
		return 0, 0
	}
	return rune(n), end + 1
}

func numeric(r rune) string { return "&#" + strconv.Itoa(int(r)) + ";" }

// unlined reports whether r would break a line or a terminal, or turn the
// direction of what follows.
func unlined(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\ufeff':
		return true
	}
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' }

// escapeText writes s so that it can stand in lines of its own: characters of
// special become references too, and so does a blank at either end.
func escapeText(s, special string) string {
	var b strings.Builder
	for i, r := range s {
		end := i == 0 || i == len(s)-1
		switch {
		case r == '&':
			if _, n := reference(s[i:]); n > 0 {
				b.WriteString("&amp;")
			} else {
				b.WriteByte('&')
			}
		case unlined(r), strings.ContainsRune(special, r), end && r < utf8.RuneSelf && isBlank(byte(r)):
			b.WriteString(numeric(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// escapeLine is escapeText for a place that holds one line only.
func escapeLine(s, special string) string { return escapeText(s, special+"\n") }

// escapeReferences makes text of what reads like a reference.
func escapeReferences(s string) string {
	var b strings.Builder
	for i, r := range s {
		b.WriteRune(r)
		if _, n := reference(s[i:]); n > 0 {
			b.WriteString("amp;")
		}
	}
	return b.String()
}

// unescape undoes escapeText.
func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		if r, n := reference(s); n > 0 {
			b.WriteRune(r)
			s = s[n:]
		} else {
			b.WriteByte('&')
			s = s[1:]
		}
	}
	b.WriteString(s)
	return b.String()
}

// shield puts a backslash before each line of s, from the given one on, whose
// text after any backslashes starts with one of marks.
func shield(s string, from int, marks ...string) string {
	return eachLine(s, from, func(line string) string {
		if startsWith(strings.TrimLeft(line, `\`), marks) {
			return `\` + line
		}
		return line
	})
}

// unshield undoes shield.
func unshield(s string, from int, marks ...string) string {
	return eachLine(s, from, func(line string) string {
		if strings.HasPrefix(line, `\`) && startsWith(strings.TrimLeft(line, `\`), marks) {
			return line[1:]
		}
		return line
	})
}

func startsWith(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func eachLine(s string, from int, fn func(string) string) string {
	lines := strings.Split(s, "\n")
	for i := from; i < len(lines); i++ {
		lines[i] = fn(lines[i])
	}
	return strings.Join(lines, "\n")
}
