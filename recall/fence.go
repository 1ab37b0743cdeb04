package recall

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// fenceTag is the name of the tag around text that comes out of memory.
const fenceTag = "sage-memory"

// fenceLike matches anything that a reader may take for an end or a beginning
// of the fence, with spaces or invisible characters strewn in.
var fenceLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<(?:[\s\p{Cf}/]*)s[\s\p{Cf}]*a[\s\p{Cf}]*g[\s\p{Cf}]*e[\s\p{Cf}]*[-_][\s\p{Cf}]*m[\s\p{Cf}]*e[\s\p{Cf}]*m`)
})

// Fence wraps text from memory so that a reader can tell it from what the user
// or the program says: the opening tag names its origin, and both tags carry a
// mark derived from the text. Nothing inside can close it, for what looks like
// one of the tags loses its angle bracket.
func Fence(origin, text string) string {
	text = fenceLike().ReplaceAllStringFunc(text, func(s string) string { return "&lt;" + s[1:] })
	sum := sha256.Sum256([]byte(origin + "\x00" + text))
	mark := hex.EncodeToString(sum[:6])
	return fmt.Sprintf("<%s mark=\"%s\" origin=\"%s\">\n%s\n</%s mark=\"%s\">",
		fenceTag, mark, attribute(origin), strings.TrimRight(text, "\n"), fenceTag, mark)
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
