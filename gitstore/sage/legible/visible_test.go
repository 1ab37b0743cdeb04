package legible

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Cases L168 and L169.
func TestVisible(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"plain":               {"plain\ttext\n", "plain\ttext\n"},
		"terminal":            {"\x1b[31mred\x7f\r", `\u{1b}[31mred\u{7f}\u{d}`},
		"C1":                  {"\u009b31m", `\u{9b}31m`},
		"override":            {"a\u202eb\u2066c\u2069", `a\u{202e}b\u{2066}c\u{2069}`},
		"zero width":          {"pass\u200bword \u2060\ufeff\u00ad", `pass\u{200b}word \u{2060}\u{feff}\u{ad}`},
		"joiner in Latin":     {"a\u200db", `a\u{200d}b`},
		"separators":          {"a\u2028b\u2029", `a\u{2028}b\u{2029}`},
		"hidden tags":         {"hi\U000e0068\U000e0069", `hi\u{e0068}\u{e0069}`},
		"hidden selectors":    {"hi\ufe01\U000e0101", `hi\u{fe01}\u{e0101}`},
		"filler":              {"\u3164\u115f", `\u{3164}\u{115f}`},
		"not UTF-8":           {"a\xffé\xc3", `a\x{ff}é\x{c3}`},
		"replacement":         {"\ufffd", "\ufffd"},
		"family":              {"👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		"skin and sign":       {"🤷🏽\u200d♂\ufe0f", "🤷🏽\u200d♂\ufe0f"},
		"heart on fire":       {"❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"},
		"keycap":              {"1\ufe0f⃣", "1\ufe0f⃣"},
		"flags":               {"🇩🇪 🏳\ufe0f\u200d🌈", "🇩🇪 🏳\ufe0f\u200d🌈"},
		"flag of tags":        {"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!"},
		"long flag":           {"🏴" + strings.Repeat("\U000e0067", 9) + "\U000e007f", "🏴" + strings.Repeat(`\u{e0067}`, 9) + `\u{e007f}`},
		"Hebrew and Arabic":   {"שלום مرحبا", "שלום مرحبا"},
		"mark beside Hebrew":  {"שלום\u200f!", "שלום\u200f!"},
		"mark in Latin":       {"a\u200fb", `a\u{200f}b`},
		"Persian":             {"می\u200cخواهم", "می\u200cخواهم"},
		"Devanagari":          {"क्\u200dष", "क्\u200dष"},
		"combining":           {"e\u0301", "e\u0301"},
		"ideographic variant": {"葛\U000e0100", "葛\U000e0100"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Visible(tt.in)); d != "" {
				t.Error(d)
			}
		})
	}
	if got := OneLine(" a\n\t b\u2028 "); got != `a b\u{2028}` {
		t.Errorf("OneLine: %q", got)
	}
	if got := EstimateTokens("äöüßx"); got != 1 {
		t.Errorf("EstimateTokens: %d", got)
	}
}
