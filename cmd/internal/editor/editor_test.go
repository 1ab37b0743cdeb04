package editor

import (
	"strings"
	"testing"
)

// FuzzScissors shows that whatever is above the scissors comes back.
func FuzzScissors(f *testing.F) {
	for _, s := range []string{"", "text\n", scissors, "a\n" + scissors + "\nb", "\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, _, found := Cut(s + "\n" + scissors + "\nwhat it means\n")
		if want := strings.ReplaceAll(s+"\n", "\r\n", "\n"); !found || got != want {
			t.Errorf("%q came back as %q", want, got)
		}
	})
}
