package suspect

import "testing"

// The texts of heldout.*.txt were written before the rules of the change that brought them, those
// of heldout2.*.txt behind them and before they were narrowed: docs/trust.md says what was found
// at the first try. Now they keep what is found from becoming less.
func TestHeldOut(t *testing.T) {
	for _, set := range []struct {
		name  string
		found int // of the poisoned texts, at least
	}{{"heldout", 38}, {"heldout2", 11}} {
		_, poisoned := lines(t, set.name+".poisoned.txt")
		found := 0
		for _, text := range poisoned {
			if rules := Rules(Find(text)); len(rules) > 0 {
				found++
			} else {
				t.Logf("missed: %s", text)
			}
		}
		if found < set.found {
			t.Errorf("%s: %d of %d poisoned texts found, at least %d", set.name, found, len(poisoned), set.found)
		}
		t.Logf("%s: %d of %d", set.name, found, len(poisoned))
		_, harmless := lines(t, set.name+".harmless.txt")
		for _, text := range harmless {
			if got := Find(text); len(got) > 0 {
				t.Errorf("flagged: %s: %v", text, got)
			}
		}
	}
}
