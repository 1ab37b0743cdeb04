package suspect

import "testing"

// The texts of heldout.*.txt were written before the rules of the change that brought them, those
// of heldout2.*.txt behind them and before they were narrowed. Of a set that was written before the
// rules for orders, safeguards and keys were, these were tried on the half classes.*.txt alone, and
// heldout3.*.txt is the other half. docs/trust.md says what was found at the first try. Now they
// keep what is found from becoming less, and what is found wrongly from becoming more.
func TestHeldOut(t *testing.T) {
	for _, set := range []struct {
		name    string
		found   int // of the poisoned texts, at least
		flagged int // of the harmless texts, at most
	}{{"heldout", 38, 0}, {"heldout2", 11, 0}, {"classes", 20, 1}, {"heldout3", 16, 1}} {
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
		flagged := 0
		for _, text := range harmless {
			if got := Find(text); len(got) > 0 {
				flagged++
				t.Logf("flagged: %s: %v", text, got)
			}
		}
		if flagged > set.flagged {
			t.Errorf("%s: %d of %d harmless texts flagged, at most %d", set.name, flagged, len(harmless), set.flagged)
		}
	}
}
