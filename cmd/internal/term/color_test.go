package term

import "testing"

func TestEscape(t *testing.T) {
	for color, want := range map[string]string{
		"yellow": "\x1b[33m", "bold blue": "\x1b[1;34m", "red white": "\x1b[31;47m", "brightred": "\x1b[91m",
		"normal red": "\x1b[41m", "208": "\x1b[38;5;208m", "#ff8000": "\x1b[38;2;255;128;0m",
		"reset": "\x1b[0m", "ul": "\x1b[4m", "": "", "normal": "", "nonsense": "", "#zzzzzz": "", "\x00": "",
	} {
		if got := escape(color); got != want {
			t.Errorf("escape(%q) = %q, want %q", color, got, want)
		}
	}
}
