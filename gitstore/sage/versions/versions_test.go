package versions

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSomebodyIsAtWork(t *testing.T) {
	for _, s := range []string{
		"<!-- sage: 2 versions disagree; keep one, and delete these lines -->\nb\n<!-- sage: or -->\na\n<!-- sage: end -->\n",
		"<!-- sage: 3 versions disagree; keep one, and delete these lines -->\na\n<!-- sage: or -->\nb\n<!-- sage: end -->\n",
		"<!-- sage: 1 versions disagree; keep one, and delete these lines -->\na\n<!-- sage: end -->\n",
		"<!-- sage: end -->", "<!-- sage: 2\n<!-- sage: end -->", "",
	} {
		if got := Split(s); len(got) != 1 || got[0] != s {
			t.Errorf("%q is one text, got %q", s, got)
		}
	}
}

func TestVersionsAreTakenApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "a", "b", textOr, textEnd, `\` + textOr, `\\` + textEnd, textBegin + "2" + textFirst})
		var list []string
		for range rapid.IntRange(2, 4).Draw(t, "versions") {
			list = append(list, strings.Join(rapid.SliceOfN(line, 1, 3).Draw(t, "lines"), "\n")+"\n")
		}
		joined := Join(list)
		if d := cmp.Diff(joined, Join(Split(joined))); d != "" {
			t.Fatal(d)
		}
		for _, v := range list {
			if got := Split(joined); len(got) > 1 && !strings.Contains(strings.Join(got, "\x00"), v) {
				t.Fatalf("%q is lost in %q", v, got)
			}
		}
	})
}

func TestInWords(t *testing.T) {
	if got := InWords(Join([]string{"b\n", "a\n\n" + textOr + "\n"})); got != "Versions disagree, and one is right.\n\nVersion 1 of 2:\na\n\n"+textOr+"\n\nVersion 2 of 2:\nb" {
		t.Errorf("%q", got)
	}
	if got := InWords("a\n" + textOr); got != "a\n"+textOr {
		t.Errorf("one text: %q", got)
	}
}
