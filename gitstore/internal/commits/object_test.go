package commits

import (
	"slices"
	"strconv"
	"testing"
)

// FuzzSplitRev: a revision that is understood means the same when its steps are
// written out.
func FuzzSplitRev(f *testing.F) {
	for _, s := range []string{"@", "@~2", "main~", "v1^2~3", "3f2a^^", "~", "@~0", "@~1048577", "a~1x", "main@{yesterday}~1", "^~^"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		base, steps, err := splitRev(s)
		if err != nil {
			return
		}
		whole := base
		for _, st := range steps {
			whole += map[bool]string{true: "~", false: "^"}[st.back] + strconv.Itoa(st.n)
		}
		base2, steps2, err := splitRev(whole)
		if err != nil || base2 != base || !slices.Equal(steps2, steps) {
			t.Errorf("%q is %q, and that is %q %v (%v)", s, whole, base2, steps2, err)
		}
	})
}
