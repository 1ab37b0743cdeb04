package gittree

import (
	"bytes"
	"testing"
)

// FuzzParseTree: what is read of a tree is written the same, as far as it is one.
func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x0012345678901234567890"))
	f.Add([]byte("40000 knowledge\x0012345678901234567890100644 z\x0012345678901234567890"))
	f.Add([]byte("100644 a\x00short"))
	f.Add([]byte("160000 sub\x0012345678901234567890120000 link\x0012345678901234567890"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if again := Encode(Parse(b, 20)...); !bytes.HasPrefix(b, again) {
			t.Fatalf("%q is read as %q", b, again)
		}
	})
}
