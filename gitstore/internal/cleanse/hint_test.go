package cleanse

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHintOf(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"hunter[0-9]+":         "hunter",
		"nowhere to be found":  "nowhere",
		"an önological secret": "önological",
		`secret|secretary`:     "secret",
		`(pass)(word)?`:        "pass",
		`(?i)akia[0-9a-z]{16}`: "",
		`(token|key)=\w+`:      "",
		`a b c d`:              "",
		`.*`:                   "",
	} {
		if got := HintOf(regexp.MustCompile(pattern)); got != want {
			t.Errorf("the hint of %q is %q, want %q", pattern, got, want)
		}
	}
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
		s := text.Draw(t, "text")
		if re.MatchString(s) && !strings.Contains("x: "+s+"\n", h) {
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
