package ask

import (
	"slices"
	"strings"
	"testing"
)

// Citations are found however they are cut, and marked if nothing of that name was sent.
func TestCitations(t *testing.T) {
	sources := []source{{Kind: anItem, ID: "staging-wipe"}, {Kind: aCheckpoint, ID: "cc10a867"}, {Kind: someCode, ID: "my docs/a, b.go:10-42"}, {Kind: someCode, ID: "auth/token.go:3-6"}}
	for _, tt := range []struct {
		answer, want string
		cites        []string
	}{
		{"Yes [item:staging-wipe].", "Yes [item:staging-wipe].", []string{"item:staging-wipe"}},
		{"[checkpoint:cc10a867c83f; code:auth/token.go:4]", "[checkpoint:cc10a867c83f, code:auth/token.go:4]", []string{"checkpoint:cc10a867", "code:auth/token.go:3-6"}},
		{"[code:my docs/a, b.go:10-42] [code:my docs/a, b.go]", "[code:my docs/a, b.go:10-42] [code:my docs/a, b.go]", []string{"code:my docs/a, b.go:10-42"}},
		{"[code:auth/token.go:5-9], [item:nope]", "[unknown code:auth/token.go:5-9], [unknown item:nope]", []string{"code:auth/token.go:5-9", "item:nope"}},
		{"On Sundays.\n\nSources:\n  item:nope  Nightly.", "On Sundays.\n\n[by the model] Sources:\n  item:nope  Nightly.", nil},
		{"## **Sources**\nSource code is read.\n- References, as git-sage checked them:\nSources: [item:nope]\ncitations", "[by the model] ## **Sources**\nSource code is read.\n[by the model] - References, as git-sage checked them:\nSources: [unknown item:nope]\n[by the model] citations", []string{"item:nope"}},
		{strings.Repeat(" ", mostHeading) + "Sources" + strings.Repeat(" ", mostHeading) + ":\nSo\nSou", "[by the model] " + strings.Repeat(" ", mostHeading) + "Sources" + strings.Repeat(" ", mostHeading) + ":\nSo\nSou", nil},
		{"Source " + strings.Repeat("x", mostHeading) + ":", "Source " + strings.Repeat("x", mostHeading) + ":", nil},
		{"a[0] [x](y) [item:half", "a[0] [x](y) [item:half", nil},
		{"[" + strings.Repeat("y", 2*mostBracket), "[" + strings.Repeat("y", 2*mostBracket), nil},
	} {
		for _, size := range []int{1, 7, len(tt.answer)} {
			var b strings.Builder
			c := &citer{sources: sources, write: func(s string) { b.WriteString(s) }, seen: map[string]bool{}}
			for piece := range slices.Chunk([]byte(tt.answer), size) {
				c.add(string(piece))
			}
			c.end()
			var names []string
			for _, x := range c.list {
				names = append(names, x.Name)
			}
			if b.String() != tt.want || !slices.Equal(names, tt.cites) {
				t.Errorf("%q in pieces of %d: %q citing %q", tt.answer, size, b.String(), names)
			}
		}
	}
}
