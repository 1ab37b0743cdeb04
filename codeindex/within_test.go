package codeindex

import (
	"strings"
	"testing"
)

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

func TestMayCall(t *testing.T) {
	of := func(language, file, name string) *Symbol {
		return &Symbol{Hit: Hit{Language: language, Path: file, Name: name}}
	}
	for _, c := range []struct {
		language, file string
		symbol         *Symbol
		is             bool
	}{
		{"python", "a.py", of("kotlin", "Cache.kt", "get"), false},
		{"java", "A.java", of("kotlin", "Cache.kt", "get"), true},
		{"typescript", "a.ts", of("vue", "Cart.vue", "total"), true},
		{"cpp", "a.cc", of("c", "x/b.h", "crc"), true},
		{"go", "x/a.go", of("go", "y/b.go", "newRanking"), false},
		{"go", "x/a.go", of("go", "x/b.go", "newRanking"), true},
		{"go", "x/a.go", of("go", "y/b.go", "NewRanking"), true},
		{"rust", "x/a.rs", of("rust", "y/b.rs", "parse"), true},
	} {
		if got := mayCall(c.language, c.file, c.symbol); got != c.is {
			t.Errorf("%s in %s of %s: %v", c.symbol.Name, c.file, c.symbol.Path, got)
		}
	}
}

// TestBraces: a pattern that stands for too many others is refused, also where braces are in
// braces, and one that a person would type is not.
func TestBraces(t *testing.T) {
	for pattern, fits := range map[string]bool{
		"{src,lib}/**/*.{js,jsx,ts,tsx,mjs,cjs}": true, "{a,{b,c}}": true, "a,b,c": true,
		strings.Repeat("{a,aa}", 30) + "x": false, strings.Repeat("{a,", 30) + "b" + strings.Repeat("}", 30): false,
	} {
		if err := (&Query{Path: pattern}).Check(); (err == nil) != fits {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}
