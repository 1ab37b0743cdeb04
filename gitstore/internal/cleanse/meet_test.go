package cleanse

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

func TestMeetText(t *testing.T) {
	for _, c := range []struct {
		a, b, want string
		ok         bool
	}{
		{"same", "same", "same", true},
		{"", "", "", true},
		{"[PURGED] and b", "a and [PURGED]", "[PURGED] and [PURGED]", true},
		{"x [PURGED] y", "x one y", "x [PURGED] y", true},
		{"[PURGED]", "all of it", "[PURGED]", true},
		{"[PURGED] y", "x[PURGED]", "[PURGED]", true}, // they overlap
		{"one", "two", "", false},
		{"one", "one and more", "", false},
		{"[PURGED] a", "[PURGED] b", "[PURGED]", false},
	} {
		for _, in := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got, ok := meetText(in[0], in[1]); ok != c.ok && c.want == "" || ok && got != c.want {
				t.Errorf("%q: got %q %v, want %q", in, got, ok, c.want)
			}
		}
	}
}

// Whatever two purges take out of a text, neither is in what they meet in.
func TestMeetTextKeepsNeither(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		word := rapid.SampledFrom([]string{"alpha", "beta", " ", "x", "al", "ta", "\n", "be"})
		text := strings.Join(rapid.SliceOfN(word, 1, 20).Draw(r, "text"), "")
		a, b := strings.ReplaceAll(text, "alpha", record.PurgedText), strings.ReplaceAll(text, "beta", record.PurgedText)
		got, ok := meetText(a, b)
		if !ok || strings.Contains(got, "alpha") || strings.Contains(got, "beta") {
			r.Fatalf("%q and %q meet in %q (%v)", a, b, got, ok)
		}
		if len(strings.ReplaceAll(got, record.PurgedText, "")) == 0 && strings.HasPrefix(text, "x") {
			r.Fatalf("%q: all of it is gone", text)
		}
	})
}

// Two forms of a text that others choose can be met in more ways than anybody can try;
// those of one text can all the same, however long it is.
func TestMeetTextEnds(t *testing.T) {
	for n := range 3 {
		times := []int{40, 3_000, 100_000}[n]
		a, b := strings.Repeat(record.PurgedText+"x", times)+"q", strings.Repeat(record.PurgedText+"y", times)+"r"
		if got, ok := meetText(a, b); ok {
			t.Errorf("%d: they met in %.40q", times, got)
		}
	}
	line := strings.Repeat("what is said here and there ", 3_000)
	text := strings.Repeat("key-one "+line+" key-two ", 10)
	a, b := strings.ReplaceAll(text, "key-one", record.PurgedText), strings.ReplaceAll(text, "key-two", record.PurgedText)
	if got, ok := meetText(a, b); !ok || got != strings.ReplaceAll(a, "key-two", record.PurgedText) {
		t.Errorf("a long text: %v %.40q", ok, got)
	}
}

func TestMeetForms(t *testing.T) {
	for _, c := range []struct{ form, a, b, want string }{
		{".yaml", "k: \"[PURGED]\"\nn: one\n", "k: a secret\nn: \"[PURGED]\"\n", "k: \"[PURGED]\"\nn: \"[PURGED]\"\n"},
		{".yaml", "k: [PURGED", "k: [PURGED", "k: [PURGED"},
		{".yaml", "k: 1\n", "- 1\n", "[PURGED]"},
		{".md", "---\nk: \"[PURGED]\"\n---\nbody\n", "---\nk: v\n---\n[PURGED]\n", "---\nk: \"[PURGED]\"\n---\n[PURGED]\n"},
		{".md", "no head [PURGED]", "no head at all", "no head [PURGED]"},
		{"checkpoint.md", "damaged [PURGED]", "damaged text", "damaged [PURGED]"},
		{"", "one", "two", "[PURGED]"},
	} {
		if got := meetForms(c.form, c.a, c.b); got != c.want {
			t.Errorf("%s: %q and %q: got %q, want %q", c.form, c.a, c.b, got, c.want)
		}
	}
}

func TestFatesKin(t *testing.T) {
	f := rewritten.Replacements{}
	f.Add("old", rewritten.Replacement{Now: []string{"b"}})
	f.Add("old", rewritten.Replacement{Now: []string{"a"}})
	f.Add("a", rewritten.Replacement{Now: []string{"a2"}})
	if k := f.Conflicting()["b"]; len(k.Final) != 2 || k.Final[0] != "a2" || k.Gone {
		t.Errorf("kin of b: %+v", k)
	}
	f.Add("old", rewritten.Replacement{Gone: true})
	if k := f.Conflicting()["a2"]; !k.Gone {
		t.Errorf("kin of a2: %+v", k)
	}
	x := rewritten.Replacement{Now: []string{"b"}}
	if !f.Says("old", x) || f.Says("old", rewritten.Replacement{Now: []string{"c"}}) || f.Says("new", x) {
		t.Errorf("what %+v says", f)
	}
}
