package cleanse

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestHintOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ pattern, want string }{
		{"hunter[0-9]+", "hunter[0-9]+"},
		{"nowhere to be found", "nowhere"},
		{`(?i)akia[0-9a-z]{16}`, `(?i:AKIA[0-9A-Z]{16})`},
		{`^secret$`, "secret"},
		{`\bpass(word)?\b: .*`, "pass"},
		{`[a-z]+@corp\.example`, "example"},
		{`(token|key)=\w+`, "token|key"},
		{`(token|=)\w+`, ""},
		{`\w\w`, ""},
		{`.*`, ""},
		{`(abcd)* x`, ""},
		{`(ab ){2}cd`, ""},
		{`x{2,3}y`, "x{2,3}y"},
		{`\S+ geheimnisträger`, "geheimnisträger"},
	} {
		got := ""
		if h := HintOf(regexp.MustCompile(tt.pattern)); h != nil {
			got = h.String()
		}
		if !sameLanguage(t, tt.want, got) {
			t.Errorf("the hint of %q is %q, want %q", tt.pattern, got, tt.want)
		}
	}
}

// sameLanguage compares two ways to write a pattern, by what they match.
func sameLanguage(t *testing.T, a, b string) bool {
	t.Helper()
	if a == "" || b == "" {
		return a == b
	}
	x, y := regexp.MustCompile("^(?:"+a+")$"), regexp.MustCompile("^(?:"+b+")$")
	for _, s := range []string{
		"hunter2", "hunter", "nowhere", "nowhere to be found", "akia0123456789ABCDEF", "secret", "pass", "password", "example",
		"token", "key", "xxy", "xxxy", "xy", "geheimnisträger", " geheimnisträger",
	} {
		if d := cmp.Diff(x.MatchString(s), y.MatchString(s)); d != "" {
			return false
		}
	}
	return true
}

// Where a pattern finds something its hint does too, with anything around it.
func TestHintMatchesWherePatternDoes(t *testing.T) {
	t.Parallel()
	atom := rapid.SampledFrom([]string{"abc", "a b", "[a-c]+", "[^a]", ".", `\b`, "^", "$", "(ab|c d)", "(?:abc|bca)", "c?", "(?i)Bca", "b{2}", "a*", `\w{3}`, "-", "(?:a-)+"})
	text := rapid.StringOfN(rapid.SampledFrom([]rune("aabbcC -")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		pattern := ""
		for range rapid.IntRange(1, 4).Draw(t, "atoms") {
			pattern += atom.Draw(t, "atom")
		}
		re := regexp.MustCompile(pattern)
		h := HintOf(re)
		if h == nil {
			return
		}
		s := text.Draw(t, "text")
		if re.MatchString(s) && !h.MatchString("x: "+s+"\n") {
			t.Fatalf("%q matches %q, its hint %q does not", pattern, s, h)
		}
	})
}

func TestVerbatim(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a: plain\n":      true,
		"a: R&D, ünï\n":   true,
		`a: "\x73ecret"`:  false,
		"&#115;ecret":     false,
		"&amp;#115;ecret": false,
		"\xff\xfes\x00":   false,
	} {
		if got := verbatim([]byte(text)); got != want {
			t.Errorf("verbatim(%q) is %v", text, got)
		}
	}
}
