package references

import (
	"slices"
	"strings"
	"testing"
)

// A word of a text is an id of a commit if it is long enough and has nothing but its digits.
func TestEachHexFindsIDsOfCommits(t *testing.T) {
	id := strings.Repeat("0123456789", 4)
	for text, want := range map[string][]string{
		"see 8d1f0a6, and " + id + ".": {"8d1f0a6", id}, "(8d1f0a6b)": {"8d1f0a6b"}, "8d1f0a": nil, "8d1f0a6g 8d1f0a6_ x8d1f0a6 8d1f0a6é": nil,
		strings.Repeat("a", 65): nil, "": nil, "fixed in v8d1f0a6, reverts:deadbeef": {"deadbeef"},
	} {
		var got []string
		eachHex(text, func(word string) { got = append(got, word) })
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
