package contents

import (
	"errors"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	small := Bound{File: 4, all: 6, Files: 3}
	for _, c := range []struct {
		name  string
		sizes []int
		good  []bool
	}{
		{"all fit", []int{4, 1, 1}, []bool{true, true, true}},
		{"a large one takes no room", []int{5, 4, 2}, []bool{false, true, true}},
		{"together too large", []int{4, 3, 2}, []bool{true, false, true}},
		{"one too many", []int{1, 1, 1, 1}, []bool{true, true, true, false}},
		{"empty ones count", []int{0, 0, 0, 0}, []bool{true, true, true, false}},
	} {
		sum := Tally{Bound: small}
		for i, size := range c.sizes {
			err := sum.Add("lines/x.yaml", size)
			if (err == nil) != c.good[i] || err != nil && (!errors.Is(err, ErrBeyond) || !strings.Contains(err.Error(), "'lines/x.yaml'")) {
				t.Errorf("%s: file %d: %v", c.name, i, err)
			}
		}
	}
}

func TestBoundOf(t *testing.T) {
	for file, want := range map[string]int{
		"core.yaml": CoreBound.File, "lines/a.yaml": LineBound.File, "system/a.md": systemBound.File,
		"lines/a.md": 0, "lines/b/a.yaml": 0, "system/a.yaml": 0, "knowledge/aa/a.md": 0, "skills/a.md": skillBound.File, "skills/a/b.md": skillBound.File, "templates/a.yaml": TemplateBound.File,
		"skills/a.yaml": 0, "skills/a/b/c.md": 0, "templates/a.md": 0, "templates/a/b.yaml": 0, "x/core.yaml": 0,
	} {
		if b, _ := BoundOf(file); b.File != want {
			t.Errorf("%s: %d bytes, want %d", file, b.File, want)
		}
	}
}

func TestParseNote(t *testing.T) {
	for text, good := range map[string]bool{
		"": true, "branches: [a]\nfuture: {x: 1}\n": true,
		"branches:\n" + strings.Repeat("- a\n", MaxListed):        true,
		"branches:\n" + strings.Repeat("- a\n", MaxListed+1):      false,
		"gone:\n" + strings.Repeat("- a\n", MaxListed+1):          false,
		"x: &a {k: v}\ny: {<<: *a}\n":                             false,
		"branches: {a: b}\n":                                      false,
		"a: &a [1]\nb: [" + strings.Repeat("*a,", 1000) + "*a]\n": false,
	} {
		if n, err := ParseNote([]byte(text)); (err == nil) != good || err != nil && len(n.Branches)+len(n.Gone) > 0 {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}
