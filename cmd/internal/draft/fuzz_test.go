package draft

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage/shorthand"
)

// FuzzOptionSyntax shows that no value of an option makes a parser panic, and
// that a reference is never taken for lines that do not count.
func FuzzOptionSyntax(f *testing.F) {
	for _, s := range []string{
		"", ":", ":::", "a:b:c:d", "id=x;take=y;z", "take=", "a vs b: c [resolved]", " vs : [x]", "a vs b: [resolved]",
		"discovery: x", ":", "f.go:1-2:supports", "f.go:99999999999999999999-1", "k=v", "k=[1,{}]", "{\"a\":1e999}", "{}", "{", "[[[[",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if src, err := shorthand.ParseSource(s); err == nil && !strings.Contains(s, src.Take) && !strings.Contains(s, ";") {
			t.Errorf("take %q is not of %q", src.Take, s)
		}
		if ten, err := parseTension(s); err == nil && len(ten.Between) < 2 {
			t.Errorf("%q is between %q", s, ten.Between)
		}
		if c, err := parseContribution(s); err == nil && c.Type == "" {
			t.Errorf("%q has no type", s)
		}
		if r, err := shorthand.ParseCodeRef(s); err == nil && (r.File == "" || r.Lines[1] < r.Lines[0] || r.Lines[0] < 0) {
			t.Errorf("%q is %+v", s, r)
		}
		_ = parseData("field", s, map[string]any{})
	})
}
