package codeindex

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const patch = `diff --git a/one.go b/one.go
--- a/one.go
+++ b/one.go
@@ -3 +3,2 @@ package one
-old
+++ b/not.go
+new
@@ -9,2 +9,0 @@ func F() {
-gone
-gone
\ No newline at end of file
diff --git "a/t\303\244b\t.go" "b/t\303\244b\t.go"
--- /dev/null
+++ "b/t\303\244b\t.go"
@@ -0,0 +1 @@
+x
`

func TestPatch(t *testing.T) {
	r := reading{delta: delta{}}
	r.patch([]byte(patch))
	if diff := cmp.Diff(delta{"one.go": {{3, 4}, {10, 9}}, "täb\t.go": {{1, 1}}}, r.delta); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		first, last int
		want        bool
	}{{1, 2, false}, {4, 8, true}, {5, 9, false}, {9, 10, true}, {10, 12, false}} {
		if got := r.touches("one.go", c.first, c.last); got != c.want {
			t.Errorf("lines %d to %d: %v", c.first, c.last, got)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add([]byte(patch))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := reading{delta: delta{}}
		r.patch(raw)
		r.touches("a", 1, 2)
	})
}
