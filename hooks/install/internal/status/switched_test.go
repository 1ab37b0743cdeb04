package status

import "testing"

func TestParentOf(t *testing.T) {
	for dir, want := range map[string]string{"/a/b": "/a", "/a": "/", "/": "/", "C:/a": "C:", "C:": "C", "": ""} {
		if got := parentOf(dir); got != want {
			t.Errorf("%q: %q, want %q", dir, got, want)
		}
	}
}
