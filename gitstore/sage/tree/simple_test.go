package tree

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// alike fails if what is read without the library is not what the library reads.
func alike(t *testing.T, text string) bool {
	t.Helper()
	got, ok := readSimple([]byte(text))
	if !ok {
		return false
	}
	want, err := readYAML([]byte(text))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is read as %+v, by the library as %+v, %v", text, got, want, err)
	}
	return true
}

// Our own front matter needs no library, and what needs one is left to it.
func TestReadSimple(t *testing.T) {
	for text, simple := range map[string]bool{
		"id: x\ntype: knowledge\nkeywords: [cache, trace-92]\nadded: 2026-01-01T00:00:00Z\n":                                   true,
		"type: checkpoint\nts: \"2026-11-27T01:40:21Z\"\nconfidence: 0.7\ncode:\n  commit: \"9b75\"\n  branch: main\ntags: []": true,
		"": false, "\n": false, "a:\n": false, "a: b\n\n": false, "a:\nb: c\n": false, "a: b\na: c\n": false,
		"a: b\n  c: d\n": false, "a: b\n  c\n": false, "  a: b\n": false, "a:\n  b:\n    c: d\n": false,
		"a: b: c\n": false, "a: b:\n": false, "a: b #c\n": false, "a: 'b'\n": false, "a: \"b\\n\"\n": false, "a: [b, ]\n": false, "a: [b,]\n": false,
		"a: &x b\n": false, "a: *x\n": false, "a: |\n  b\n": false, "a: !!str b\n": false, "a:\tb\n": false, "a: b\r\n": false, "a: b \n": false,
		"---\na: b\n": false, "a: b\n---\nc: d\n": false, "a: b\n...\n": false, "<<: x\n": false, "a: \u00e9\n": false, "a: {b: c}\n": false, "- a\n": false,
	} {
		if got := alike(t, text); got != simple {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Whatever is put together of what YAML gives a meaning to is read as the library reads it.
func TestReadSimpleAlike(t *testing.T) {
	words := strings.Split("a|b-c|key|true|null|1.5|0x1f|2026-01-01T00:00:00Z|~|~x|.inf|<<|=|x y|: | :|:|::|,|, |;|[|]|[]|[a, b]|[a,b]|\"|\"q r\"|'|\\|#| #| |  |\n|\n|\n|\n  |\n  |\na: |\nb: |\n  c: |\nd:|-|- |---|...|?|? |!|&|*|%|@|`|{|}|(|)|+|/|\t|\r|\u00e9|\x00|>|_", "|")
	r := rand.New(rand.NewPCG(3, 4))
	n := 0
	for range 300_000 {
		var b strings.Builder
		b.WriteString([]string{"a: ", "key:\n  a: ", "x: y\nb: ", ""}[r.IntN(4)])
		for range 1 + r.IntN(6) {
			b.WriteString(words[r.IntN(len(words))])
		}
		if alike(t, b.String()) {
			n++
		}
	}
	if n < 5000 {
		t.Errorf("only %d of these texts are simple", n)
	}
}

// FuzzReadSimple: what is read without the library is what the library reads.
func FuzzReadSimple(f *testing.F) {
	f.Add("id: x\nkeywords: [cache, trace-92]\n")
	f.Add("code:\n  commit: \"9b75\"\n  branch: main\n")
	f.Fuzz(func(t *testing.T, text string) { alike(t, text) })
}
