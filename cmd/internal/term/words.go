package term

import (
	"fmt"
	"strconv"
	"strings"
)

// Wrap breaks a text into lines of so many columns, those behind the first indented.
func Wrap(text string, columns int, indent string) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && at+1+len(word) > columns:
			b.WriteString("\n" + indent)
			at = len(indent)
		case i > 0:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	return b.String()
}

// UpperFirst is s with a capital.
func UpperFirst(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }

// Indent sets every line of s in by four columns.
func Indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// Are is "1 file is", or "2 files are".
func Are(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", n, noun)
}

// Listed are names as one says them.
func Listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Some names the first of many.
func Some(ids []string) string {
	text := strings.Join(ids[:min(len(ids), MostNamed)], ", ")
	if len(ids) > MostNamed {
		text += fmt.Sprintf(" and %d more", len(ids)-MostNamed)
	}
	return text
}

// MostNamed is how many of many Some names.
const MostNamed = 5

// LowerFirst is s without its capital, unless that begins a word of capitals.
func LowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'a' && s[1] <= 'z' || len(s) > 1 && s[1] == ' ' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

// ShellWord quotes a text for a shell, inside of double quotes.
func ShellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Count is a number for a table: nothing for zero, which means unknown.
func Count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Percent is a confidence as people read it, "" if none was given.
func Percent(c *float64) string {
	if c == nil {
		return ""
	}
	return strconv.FormatFloat(*c*100, 'f', 0, 64) + "%"
}
