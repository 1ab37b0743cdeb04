package patch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/codeindex/internal/patch"
)

const example = `diff --git a/one.go b/one.go
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
	r := patch.NewReader()
	r.Read([]byte(example))
	if diff := cmp.Diff(patch.Lines{"one.go": {{3, 4}, {10, 9}}, "täb\t.go": {{1, 1}}}, r.Lines); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		first, last int
		want        bool
	}{{1, 2, false}, {4, 8, true}, {5, 9, false}, {9, 10, true}, {10, 12, false}} {
		if got := r.Touch("one.go", c.first, c.last); got != c.want {
			t.Errorf("lines %d to %d: %v", c.first, c.last, got)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add([]byte(example))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := patch.NewReader()
		r.Read(raw)
		r.Touch("a", 1, 2)
	})
}
