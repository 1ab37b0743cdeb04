package term

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// What JSON says is what was given, and a terminal that shows it obeys none of it.
func FuzzEncoder(f *testing.F) {
	for _, s := range []string{
		"", "plain <b> & \"quoted\"", "\u009b31m red", "exe.\u202egpj", "a\u2066b\u2069", "\u007f\u0085\u00ad\ufeff\u200b", "\U000e0041\U0001d173",
		"👩\u200d🚀 ❤\ufe0f", `\u202e`, `\`, "\\\u202e", "\xff\x9b", "日本語\n\t\x1b[2J\x00", "\u2028\u2029", "a\ufe01\U000e0100\u3164\u034f",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		in := map[string]string{s: s, "of": s}
		var b bytes.Buffer
		enc := NewEncoder(&b)
		if err := enc.Encode(in); err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexFunc(strings.TrimSuffix(b.String(), "\n"), legible.Hidden); i >= 0 {
			t.Errorf("%q stands in %q", b.String()[i:], b.String())
		}
		var out map[string]string
		if err := json.Unmarshal(b.Bytes(), &out); err != nil {
			t.Fatalf("%v: %q", err, b.String())
		}
		want := string([]rune(s)) // with U+FFFD for what is no character
		if out["of"] != want && s != "of" {
			t.Errorf("%q became %q", s, out["of"])
		}
		if _, ok := out[want]; !ok {
			t.Errorf("there is no name %q in %q", want, b.String())
		}
	})
}
