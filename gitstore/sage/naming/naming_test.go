package naming

import (
	"strings"
	"testing"
)

func TestSuggestName(t *testing.T) {
	for name, want := range map[string]string{
		"My Notes": "my-notes", "a..b": "a.b", "..a.lock": "a", "con": "", "ÄÖ": "aeoe", "Grüße aus Köln": "gruesse-aus-koeln", "u\u0308bung": "uebung", "Año": "ano", "日本": "", "a/b\\c": "a-b-c", "-x-": "x",
		strings.Repeat("ab ", 80): strings.Repeat("ab-", 33) + "a", "": "",
	} {
		if got := SuggestName(name); got != want || got != "" && NameProblem(got) != "" {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
