package plainfile

import "testing"

func TestRemoval(t *testing.T) {
	for _, tt := range []struct{ system, path, want string }{
		{"linux", "/home/ada/it's", `rm '/home/ada/it'\''s'`},
		{"windows", `C:\Program Files\git-sage.exe`, `del "C:\Program Files\git-sage.exe"`},
	} {
		if got := removal(tt.system, tt.path); got != tt.want {
			t.Errorf("%s: %s, not %s", tt.system, got, tt.want)
		}
	}
}
