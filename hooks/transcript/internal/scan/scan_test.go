package scan

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

var sound = []string{
	`{}`, `[]`, `""`, `0`, `-0.5e+3`, `1e5`, `true`, `false`, `null`, ` { "a" : [ 1 , {"b":"c"} ] } `, `"\u00e9\n\\\""`, `"\ud800"`, "\"\xff\"",
	strings.Repeat("[", 10000) + strings.Repeat("]", 10000),
}

var unsound = []string{
	``, `{`, `}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[,]`, `{,}`, `"`, `"\x"`, `"\u12g4"`, `"\u12`, "\"\n\"", `01`, `-`, `1.`, `.5`, `1e`, `tru`, `nul`, `[1 2]`, `{a:1}`, `1 1`, `{}}`,
	strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
}

func TestScanTakesWhatIsJSON(t *testing.T) {
	for _, s := range sound {
		if !valid([]byte(s)) {
			t.Errorf("%.40q is refused", s)
		}
	}
	for _, s := range unsound {
		if valid([]byte(s)) {
			t.Errorf("%.40q is taken", s)
		}
	}
}

func valid(b []byte) bool {
	end := valueEnd(b, blank(b, 0), 0)
	return end >= 0 && blank(b, end) == len(b)
}

// FuzzScan holds the scanner to encoding/json: what is JSON, what is in an object and a
// list, what a string says.
func FuzzScan(f *testing.F) {
	for _, s := range append(sound[:len(sound)-1], unsound[:len(unsound)-1]...) {
		f.Add([]byte(s))
	}
	f.Add([]byte(`{"a":{"b":[1,"x\ty"]},"a":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if valid(b) != json.Valid(b) {
			t.Fatalf("%q: %t", b, valid(b))
		}
		var s string
		if json.Unmarshal(b, &s) == nil && string(b) != "null" {
			if got := Text(b[blank(b, 0):]); got != s && len(b) == len(strings.TrimSpace(string(b))) {
				t.Errorf("%q says %q, want %q", b, got, s)
			}
		}
		var list []json.RawMessage
		n := 0
		for range Elements(b) {
			n++
		}
		if json.Unmarshal(b, &list) == nil && n != len(list) {
			t.Errorf("%q has %d elements, want %d", b, n, len(list))
		}
		sameFields(t, b)
	})
}

// sameFields compares the last values of keys that are plain ASCII.
func sameFields(t *testing.T, b []byte) {
	var want map[string]json.RawMessage
	if json.Unmarshal(b, &want) != nil || want == nil {
		return
	}
	got := map[string]string{}
	for k, v := range Fields(b) {
		got[string(k)] = string(v)
	}
	for k, v := range want {
		if utf8.ValidString(k) && strings.Trim(k, "abcdefghijklmnopqrstuvwxyz") == "" && got[k] != string(v) {
			t.Errorf("%q: %s is %q, want %q", b, k, got[k], v)
		}
	}
	if !Object(b, func(_, _ []byte) bool { return true }) {
		t.Errorf("%q is no object", b)
	}
}
