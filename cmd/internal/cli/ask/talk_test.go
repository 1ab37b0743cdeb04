package ask

import "testing"

// What stood in turns that were forgotten is sent anew.
func TestForget(t *testing.T) {
	k := talk{turns: []turn{{sources: []source{{Kind: anItem, ID: "staging-wipe"}}}}}
	k.hear("Since Sunday.")
	if k.forget(); len(k.turns) != 2 || len(k.sources()) != 1 {
		t.Errorf("of a short talk %d turns with %d sources are left", len(k.turns), len(k.sources()))
	}
	for len(k.turns) < mostTurns {
		k.turns = append(k.turns, turn{})
		k.hear("Yes.")
	}
	if k.forget(); len(k.turns) != mostTurns-2 || k.turns[0].Agent || len(k.sources()) != 0 {
		t.Errorf("of a long talk %d turns with %d sources are left", len(k.turns), len(k.sources()))
	}
}
