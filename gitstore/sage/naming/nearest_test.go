package naming

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"log", "show", "branch", "switch", "status", "rev-parse", "checkpoint"}
	for word, want := range map[string]string{
		"lgo": "log", "stauts": "status", "brnach": "branch", "swtich": "switch", "check": "checkpoint",
		"xyz": "", "foo": "", "lig": "log", "lo": "log", "": "", "l": "", "commit": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
