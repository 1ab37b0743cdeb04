package markdown

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// Marks around the part of a file of instructions that an export wrote.
var (
	partBegin = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^<!-- git-sage export, sha256:([0-9a-f]{64}); [^\n]*-->\r?\n`)
	})
	partEnd = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^<!-- end of git-sage export -->\r?$`)
	})
)

// Part is a text between its marks.
func Part(text []byte) []byte {
	begin := "<!-- git-sage export, sha256:" + SumOf(text) + "; change it in git-sage, not here -->\n"
	return slices.Concat([]byte(begin), text, []byte("<!-- end of git-sage export -->"))
}

// FindPart is where the part lies that an export wrote: at the end, with no length, if there
// is none. One that was changed since is an error.
func FindPart(text []byte) (from, to int, err error) {
	begins := partBegin().FindAllSubmatchIndex(text, -1)
	if len(begins) == 0 {
		return len(text), len(text), nil
	}
	b := begins[0]
	for _, e := range partEnd().FindAllIndex(text[b[1]:], -1) { // an item may say what the mark says
		if SumOf(text[b[1]:b[1]+e[0]]) == string(text[b[2]:b[3]]) {
			return b[0], b[1] + e[1], nil
		}
	}
	return 0, 0, errors.New("the exported part was changed since: move the change out of it, or delete the part with its marks")
}

// SumOf is the SHA-256 of a text, which git may have given the line ends of Windows since.
func SumOf(data []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

// withoutPart blanks the part that an export wrote and nobody changed since, and keeps the lines.
func withoutPart(text string) (rest string, found bool) {
	from, to, err := FindPart([]byte(text))
	if err != nil || from == to {
		return text, false
	}
	return text[:from] + strings.Repeat("\n", strings.Count(text[from:to], "\n")) + text[to:], true
}

// Unsaid are the items that a file of instructions does not say outside of the part that an
// export wrote.
func Unsaid(items []*sage.Item, file []byte) []*sage.Item {
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	rest, _ := withoutPart(string(file))
	said := map[string]bool{}
	for _, b := range blocksOf(blankComments(rest)) {
		said[words(b.text)] = true
	}
	return slices.DeleteFunc(slices.Clone(items), func(it *sage.Item) bool { return said[words(it.Text())] })
}
