package redact

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Wherever a cut goes through a secret, no part of it is left.
func TestEndsHoldNoHalfOfASecret(t *testing.T) {
	const most = 400
	for _, long := range []int{most, most + margin, 3 * margin} {
		for at := max(0, long-2*len(plant)); at < long+len(plant); at++ {
			text := strings.Repeat("é", at/2) + " " + plant + " " + strings.Repeat("word ", 3*margin)
			for name, cut := range map[string]func(string, int) (string, []Finding, error){"head": Default().Head, "tail": Default().Tail} {
				if name == "tail" {
					text = strings.Repeat("word ", 3*margin) + " " + plant + " " + strings.Repeat("é", at/2)
				}
				got, _, err := cut(text, most)
				if err != nil || len(got) > most || !utf8.ValidString(got) || strings.Contains(got, plant[:12]) || strings.Contains(got, plant[len(plant)-12:]) {
					t.Fatalf("%s of %d at %d: %d bytes, %v: %q", name, long, at, len(got), err, got)
				}
			}
		}
	}
}

// What is short enough is the same as the whole of it.
func TestEndsOfShortTexts(t *testing.T) {
	for _, s := range []string{"", "a", "é", "one two", plant, strings.Repeat("x ", 300)} {
		whole, _, _ := Default().Text(s)
		head, _, err := Default().Head(s, 1000)
		tail, _, err2 := Default().Tail(s, 1000)
		if head != whole || tail != whole || err != nil || err2 != nil {
			t.Errorf("%q: %q %q", s, head, tail)
		}
	}
}
