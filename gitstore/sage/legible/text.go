package legible

import (
	"cmp"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose"
)

// TrimBlank drops blank lines at both ends; a text that begins or ends with
// one has it escaped.
func TrimBlank(lines []string) []string {
	for len(lines) > 0 && strings.Trim(lines[0], " \t") == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.Trim(lines[len(lines)-1], " \t") == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// AppendParagraph puts s where to points, after another text that is there already, so
// that nothing is lost of a section that comes twice.
func AppendParagraph(to *string, s string) {
	switch {
	case *to == "":
		*to = s
	case s != "" && s != *to:
		*to += "\n\n" + s
	}
}

// PurgedText takes the place of text that was purged.
const PurgedText = "[PURGED]"

// EstimateTokens guesses how many tokens a model sees in s: a fourth of its
// characters.
func EstimateTokens(s string) int { return utf8.RuneCountInString(s) / 4 }

// FirstSentence is the first sentence of the first line.
func FirstSentence(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd")), "\n")
	if list := prose.Split(line, prose.Language(line)); len(list) > 0 {
		return list[0]
	}
	return line
}

func Each[T, U any](list []T, fn func(T) U) (out []U) {
	for _, v := range list {
		out = append(out, fn(v))
	}
	return out
}

func Paragraphs(s string) (out []string) {
	for p := range strings.SplitSeq(s, "\n\n") {
		if p = strings.Trim(p, "\n"); strings.TrimSpace(p) != "" {
			out = append(out, p)
		}
	}
	return out
}

// Percent shows a confidence, or "" for none.
func Percent(f *float64) string {
	if f == nil || math.IsNaN(*f) {
		return ""
	}
	return strconv.FormatFloat(math.Round(*f*100), 'f', -1, 64) + "%"
}

// Quoted is text of unknown origin in quotes, as the source of a program has it: on one line,
// of at most so many characters, with nothing in it that a terminal would obey.
func Quoted(s string, most int) string {
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "..."
	}
	q := strconv.QuoteToGraphic(s)
	return "'" + q[1:len(q)-1] + "'"
}

// Count is a number of things: 1 file, 2 files.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Counts counts each noun of which there is any: "3 items and 1 core file"; "" if there is none.
func Counts(nouns []string, n ...int) string {
	var parts []string
	for i, noun := range nouns {
		if n[i] > 0 {
			parts = append(parts, Count(n[i], noun))
		}
	}
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Lasted is how long something took, in words and with the units and limits of git's
// relative dates: 40 seconds, 70 minutes, 2 hours, 3 days.
func Lasted(d time.Duration) string {
	seconds := int(d.Round(time.Second) / time.Second)
	minutes := (seconds + 30) / 60 // each is rounded from the one before
	hours := (minutes + 30) / 60
	switch {
	case seconds < 90:
		return Count(seconds, "second")
	case minutes < 90:
		return Count(minutes, "minute")
	case hours < 36:
		return Count(hours, "hour")
	}
	return Count((hours+12)/24, "day")
}

func InParens(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func OrNone(s string) string { return cmp.Or(s, "none") }

func ShortID(id string) string {
	if len(id) > 8 && isHex(id) {
		return id[:8]
	}
	return id
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// EachLine calls fn with each line of s, from the given one on, and puts what it
// returns in its place.
func EachLine(s string, from int, fn func(string) string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/16)
	for n := 0; ; n++ {
		line, rest, more := strings.Cut(s, "\n")
		if n >= from {
			line = fn(line)
		}
		b.WriteString(line)
		if !more {
			return b.String()
		}
		b.WriteByte('\n')
		s = rest
	}
}
