package recall

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// fenceTag is the name of the tag around text that comes out of memory.
const fenceTag = "sage-memory"

// fenceLike matches anything that a reader may take for an end or a beginning
// of the fence, with spaces or invisible characters strewn in, and letters, brackets
// and hyphens that look like ours.
var fenceLike = sync.OnceValue(func() *regexp.Regexp {
	const blank = `[\s\p{Cf}\p{Mn}\p{Cc}]`
	return regexp.MustCompile(strings.ReplaceAll(`(?i)[<\x{FF1C}](?:B|/)*[s\x{0455}]B*[a\x{0430}]B*gB*[e\x{0435}]B*[\p{Pd}_]B*[m\x{043C}]B*[e\x{0435}]B*[m\x{043C}]`, "B", blank))
})

// Fence wraps text from memory so that a reader can tell it from what the user
// or the program says: the opening tag names its origin, and both tags carry a
// mark derived from the text. Nothing inside can close it, for what looks like
// one of the tags loses its angle bracket, and nothing inside is hidden or moves a
// terminal's cursor: what a reader cannot see is spelled out, as in sage.Visible.
func Fence(origin, text string) string {
	text = harmless(text)
	sum := sha256.Sum256([]byte(origin + "\x00" + text))
	mark := hex.EncodeToString(sum[:6])
	return fmt.Sprintf("<%s mark=\"%s\" origin=\"%s\">\n%s\n</%s mark=\"%s\">",
		fenceTag, mark, attribute(origin), strings.TrimRight(text, "\n"), fenceTag, mark)
}

// harmless is text as it stands in a fence. What is harmless stays as it is.
func harmless(text string) string {
	return sage.Visible(Defuse(strings.ReplaceAll(text, "\r\n", "\n")))
}

// Defuse takes its angle bracket from what looks like a tag of a fence, also for text
// that stands outside of one.
func Defuse(text string) string {
	return fenceLike().ReplaceAllStringFunc(text, func(s string) string {
		_, n := utf8.DecodeRuneInString(s)
		return "&lt;" + s[n:]
	})
}

// attribute makes s safe between double quotes, on one line.
func attribute(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// fenceCost is how many characters a fence adds to a text of that origin,
// before anything in the text is defused.
func fenceCost(origin string) int { return len([]rune(Fence(origin, ""))) }
