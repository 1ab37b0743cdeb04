package codec

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// slowly is escapeText a character at a time.
func slowly(s, special string) string {
	var b strings.Builder
	for i, r := range s {
		end := i == 0 || i == len(s)-1
		_, n := reference(s[i:])
		switch {
		case r == '&' && n > 0:
			b.WriteString("&amp;")
		case r == '&':
			b.WriteByte('&')
		case unlined(r), strings.ContainsRune(special, r), end && r < utf8.RuneSelf && isBlank(byte(r)):
			b.WriteString(numeric(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// oddText draws what is made of the pieces that matter here.
func oddText(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"", " ", "\t", "\n", "\r", "\x00", "\x7f", "\xff", "\xe2\x80", "\ufffd", "\u2028", "\ufeff", "\u202e",
			"&", "&amp;", "&#13;", "&#x;", "&#1114112;", "`", "*", `\`, `\\`, "## ", `\## `, "# ", "ß", "日本", "a", "ARC beats LRU"}),
		rapid.String(),
	)
	return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
}

func TestEscapeTextIsAsWrittenSlowly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := oddText(t)
		special := rapid.SampledFrom([]string{"", "\n", "`\n", "*é"}).Draw(t, "special")
		if diff := cmp.Diff(slowly(s, special), escapeText(s, special)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestEachLineChangesLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, from := oddText(t), rapid.IntRange(0, 3).Draw(t, "from")
		lines := strings.Split(s, "\n")
		for i := from; i < len(lines); i++ {
			lines[i] = "> " + lines[i]
		}
		got := legible.EachLine(s, from, func(line string) string { return "> " + line })
		if diff := cmp.Diff(strings.Join(lines, "\n"), got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestShieldIsUndone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, from := oddText(t), rapid.IntRange(0, 2).Draw(t, "from")
		shielded := shield(s, from, "## ", "- ")
		for i, line := range strings.Split(shielded, "\n") {
			if i >= from && (strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "- ")) {
				t.Fatalf("%q begins like a mark", line)
			}
		}
		if diff := cmp.Diff(s, unshield(shielded, from, "## ", "- ")); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Words are tidied, texts are left as they are, however long.
func TestTidyLeavesTexts(t *testing.T) {
	long := strings.Repeat("Branch Point ", 100)
	c := &sage.Checkpoint{Thesis: "Branch Point", ReasoningTrace: long, Trigger: sage.Trigger("  Branch Point" + strings.Repeat(" ", 300))}
	c.Tidy()
	want := &sage.Checkpoint{Thesis: "Branch Point", ReasoningTrace: long, Trigger: "branch_point"}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
}
