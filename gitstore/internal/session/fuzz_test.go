package session

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// FuzzMarkerName reads what any file is called as the name of a marker: what passes can
// be sorted and told apart, and is what a marker would be called.
func FuzzMarkerName(f *testing.F) {
	for _, s := range []string{"00000001-0123456789abcdef-abcdefgh.json", "18446744073709551615-ab-c.json", "-1-ab-c.json", "1-ab.json", "1-ab-c", "..", "1-AB-c.json", "1--c.json"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		m, ok := parseMarkerName(name)
		if ok && (!record.IsHex(m.key) || m.n+1 < m.n || !strings.Contains(name, "-"+m.key+"-") || !strings.HasSuffix(name, markerExt)) {
			t.Errorf("%q is %+v", name, m)
		}
	})
}
