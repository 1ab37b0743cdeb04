// Package texts writes what an answer of a tool is made of: fenced texts, lines and numbers, each
// of bounded length.
package texts

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
)

// MaxChars is how long an answer may be. Beyond 50,000 characters the client
// puts it into a file and shows the model 2 KB.
const MaxChars = 48_000

// MaxListed is how many a list shows if nobody says how many.
const MaxListed = 200

// Size counts s as the client does, in UTF-16: an emoji is two.
func Size(s string) (n int) {
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// Fit cuts s to a size of n, at the end of a line if one is near, and says how
// to get the rest.
func Fit(s string, n int, rest string) string {
	if Size(s) <= n {
		return s
	}
	note := "\n[cut here: " + rest + "]"
	room, end := n-Size(note), 0
	for i, r := range s {
		if room -= max(1, utf16.RuneLen(r)); room < 0 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	s = s[:end]
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/2 {
		s = s[:i]
	}
	return s + note
}

// Fenced is text in a fence, cut so that an answer with other text beside it
// still fits. A fence may defuse text, which makes it longer.
func Fenced(origin, text string, beside int, rest string) string {
	for room := MaxChars - beside - 500; ; room -= room / 8 {
		out := brief.Fence(origin, Fit(text, room, rest))
		if Size(out) <= MaxChars-beside || room < 1000 {
			return out
		}
	}
}

// Whole are as many of a list, from its beginning, as an answer holds beside other text, in
// words, and how many that is.
func Whole[T any](list []T, beside int, text func([]T) string) (string, int) {
	n := len(list)
	for n > 1 && Size(text(list[:n])) > MaxChars-beside-1000 {
		n -= (n + 7) / 8
	}
	return text(list[:n]), n
}

// Shown is s on one line, for a message.
func Shown(s string) string { return OneLine(s, 40) }

// OneLine is s on one line of at most n characters, with what a terminal or a
// reader might take for something else made visible.
func OneLine(s string, n int) string {
	return cut.Runes(brief.Defuse(legible.OneLine(cut.Bytes(s, 4*n+100))), n)
}

// Age is short and rough: 5m, 3h, 12d, 2y. Clocks may differ by some minutes.
func Age(d time.Duration) string {
	switch {
	case d <= -time.Hour:
		return "future"
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 2*365*24*time.Hour:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	}
	return fmt.Sprintf("%dy", d/(365*24*time.Hour))
}

// Redacted says what was taken out, by rule, never the value.
func Redacted(found []redact.Finding) string {
	parts := make([]string, 0, len(found))
	for _, f := range found {
		parts = append(parts, fmt.Sprintf("%s (%d)", f.Rule, f.Count))
	}
	return strings.Join(parts, ", ")
}
