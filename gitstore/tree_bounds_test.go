package gitstore

import (
	"errors"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	small := bound{file: 4, all: 6, files: 3}
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
		sum := tally{bound: small}
		for i, size := range c.sizes {
			err := sum.add("lines/x.yaml", size)
			if (err == nil) != c.good[i] || err != nil && (!errors.Is(err, errBeyond) || !strings.Contains(err.Error(), "'lines/x.yaml'")) {
				t.Errorf("%s: file %d: %v", c.name, i, err)
			}
		}
	}
}

func TestBoundOf(t *testing.T) {
	for file, want := range map[string]int{
		"core.yaml": coreBound.file, "lines/a.yaml": lineBound.file, "system/a.md": systemBound.file,
		"lines/a.md": 0, "lines/b/a.yaml": 0, "system/a.yaml": 0, "knowledge/aa/a.md": 0, "skills/a.md": skillBound.file, "skills/a/b.md": skillBound.file, "templates/a.yaml": templateBound.file,
		"skills/a.yaml": 0, "skills/a/b/c.md": 0, "templates/a.md": 0, "templates/a/b.yaml": 0, "x/core.yaml": 0,
	} {
		if b, _ := boundOf(file); b.file != want {
			t.Errorf("%s: %d bytes, want %d", file, b.file, want)
		}
	}
}

func TestParseNote(t *testing.T) {
	for text, good := range map[string]bool{
		"": true, "branches: [a]\nfuture: {x: 1}\n": true,
		"branches:\n" + strings.Repeat("- a\n", maxListed):        true,
		"branches:\n" + strings.Repeat("- a\n", maxListed+1):      false,
		"gone:\n" + strings.Repeat("- a\n", maxListed+1):          false,
		"x: &a {k: v}\ny: {<<: *a}\n":                             false,
		"branches: {a: b}\n":                                      false,
		"a: &a [1]\nb: [" + strings.Repeat("*a,", 1000) + "*a]\n": false,
	} {
		if n, err := parseNote([]byte(text)); (err == nil) != good || err != nil && len(n.Branches)+len(n.Gone) > 0 {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func TestNewest(t *testing.T) {
	if got := strings.Join(newest([]string{"a", "b", "c"}, 2), ""); got != "bc" {
		t.Error(got)
	}
	if got := newest([]string{"a"}, 2); len(got) != 1 {
		t.Error(got)
	}
}
