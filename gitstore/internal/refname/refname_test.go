package refname

import (
	"strings"
	"testing"
)

func FuzzCheckName(f *testing.F) {
	for _, s := range []string{"main", "a..b", "x.lock", "con", "com1.x", "Ä", "-rf", "a/b", "", strings.Repeat("a", 101), "a."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ok := CheckName(s) == nil
		if ok && (strings.ToLower(s) != s || strings.ContainsAny(s, "/\\ ~^:?*[\n") || strings.Contains(s, "..") || s[0] == '-' || len(s) > 100) {
			t.Errorf("%q passes", s)
		}
	})
}
