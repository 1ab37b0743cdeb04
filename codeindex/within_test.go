package codeindex

import "testing"

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		pattern string
		is      bool
	}{
		{"rust", true}, {"rust/", true}, {"rust/src/varint.rs", true}, {"varint.rs", true}, {"*.rs", true}, {"src/*.rs", true},
		{"rust/**", true}, {"rust/**/*.rs", true}, {"**/*.rs", true}, {"{rust,py}/**", true}, {"{rust,py}", true}, {"rust/*", true},
		{"src", true}, {".", true}, {"r*t", true},
		{"rus", false}, {"*.py", false}, {"src/rust/**", false}, {"rust/*.rs", false}, {"py/**", false},
	} {
		if got := within("rust/src/varint.rs", c.pattern); got != c.is {
			t.Errorf("%s: %v", c.pattern, got)
		}
	}
}
