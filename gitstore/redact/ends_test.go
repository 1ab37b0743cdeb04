package redact

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Wherever a cut goes through a secret, no part of it is left.
func TestEndsHoldNoHalfOfASecret(t *testing.T) {
	const most = 400
	far := strings.Repeat("word ", Margin) // so that the other end is another text
	for _, long := range []int{most, most + Margin} {
		for at := long - 2*len(plant); at < long+len(plant); at += 3 {
			near := strings.Repeat("é", at/2)
			head, _, _, err := Default().Ends(near+" "+plant+" "+far, most, most)
			_, tail, _, err2 := Default().Ends(far+" "+plant+" "+near, most, most)
			for name, got := range map[string]string{"head": head, "tail": tail} {
				if len(got) > most || !utf8.ValidString(got) || strings.Contains(got, plant[:12]) || strings.Contains(got, plant[len(plant)-12:]) {
					t.Fatalf("%s of %d at %d: %d bytes: %q", name, long, at, len(got), got)
				}
			}
			if err != nil || err2 != nil || head == "" || tail == "" {
				t.Fatalf("at %d: %d and %d bytes, %v, %v", at, len(head), len(tail), err, err2)
			}
		}
	}
}

// What is short enough is the same as the whole of it.
func TestEndsOfShortTexts(t *testing.T) {
	for _, s := range []string{"", "a", "é", "one two", plant, strings.Repeat("x ", 300)} {
		whole, _, _ := Default().Text(s)
		first, _, err := Default().Head(s, 1000)
		head, tail, _, err2 := Default().Ends(s, 500, 500)
		if first != whole || head != whole || tail != "" || err != nil || err2 != nil {
			t.Errorf("%q: %q %q %q", s, first, head, tail)
		}
	}
}

// Of what is longer than both ends, but not so long that its middle goes unread, the ends
// are of the text without secrets.
func TestEndsOfMiddlingTexts(t *testing.T) {
	s := strings.Repeat("a ", 300) + plant + strings.Repeat(" z", 300)
	whole, _, _ := Default().Text(s)
	head, tail, found, err := Default().Ends(s, 100, 50)
	if head != whole[:100] || tail != whole[len(whole)-50:] || len(found) == 0 || err != nil {
		t.Errorf("%q, %q, %v, %v", head, tail, found, err)
	}
}
