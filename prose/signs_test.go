package prose

import "testing"

// TestLexiconsAreWhole: each language knows each group, and its files can be read.
func TestLexiconsAreWhole(t *testing.T) {
	for _, l := range []Lang{English, German, French, Spanish, Portuguese, Russian, Chinese, Japanese} {
		text, err := signFiles.ReadFile("signs/" + string(l) + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		x, err := parseLexicon(string(text))
		if err != nil {
			t.Errorf("%s: %v", l, err)
			continue
		}
		var all Signs
		for _, list := range x.phrases {
			for _, p := range list {
				all |= p.sign
			}
		}
		for _, p := range x.open {
			all |= p.sign
		}
		for name, s := range groups() {
			if !all.Has(s) && !(l == English && s == Prefers) {
				t.Errorf("%s says nothing for '%s'", l, name)
			}
		}
	}
}
