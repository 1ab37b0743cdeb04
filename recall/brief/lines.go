package brief

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// CharsPerToken is what sage.EstimateTokens counts with.
const CharsPerToken = 4

// Line is s on one line, made visible and cut to n characters.
func Line(s string, n int) string { return cut.Runes(legible.OneLine(s), n) }

// ShortID is how an id is shown.
func ShortID(id string) string { return id[:min(8, len(id))] }

// Age says how long ago something was, roughly. Clocks may differ by some minutes.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	if d <= -time.Hour {
		return "at a time that has not come yet"
	}
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{365 * day, "year"}, {30 * day, "month"}, {7 * day, "week"}, {day, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / u.unit); n == 1 {
			return "1 " + u.name + " ago"
		} else if n > 1 {
			return fmt.Sprintf("%d %ss ago", n, u.name)
		}
	}
	return "just now"
}

// Joined are two texts with what stands between them; either may be empty.
func Joined(a, sep, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}

// AsManyAs are the first of some parts that there is room for, at least two of them: a
// heading and what stands below it.
func AsManyAs(parts []string, room int) string {
	var b strings.Builder
	n := 0
	for _, p := range parts {
		p = Harmless(p)
		if room -= Units(p); room < 0 {
			break
		}
		b.WriteString(p)
		n++
	}
	if n < 2 {
		return ""
	}
	return b.String()
}

// Units is the length of a text as clients count it, who are written in JavaScript: what
// lies beyond the basic plane, an emoji say, counts twice.
func Units(s string) (n int) {
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}
