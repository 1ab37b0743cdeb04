package forms

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact/internal/chars"
	"github.com/git-sage/git-sage/gitstore/redact/internal/spans"
)

const (
	// minCoded is the length of the shortest run of base64 that is decoded.
	minCoded = 16
	// maxDepth bounds how often text is decoded: base64 in base64 in base64.
	maxDepth = 3
)

// FindCoded reports runs of base64 that are text with a secret in it.
func FindCoded(s string, found *spans.Set) {
	if found.Depth >= maxDepth {
		return
	}
	var buf []byte
	for at := 0; at < len(s); at++ {
		if !chars.In(s[at], chars.Alnum|chars.B64|chars.Dash) || s[at] == '=' {
			continue
		}
		from := at
		at = codedEnd(s, from)
		if at-from < minCoded {
			continue
		}
		if plain, ok := decoded(s[from:at], &buf); ok {
			if inner := spans.Inner(plain, found); len(inner.List) > 0 {
				to := at
				for to < len(s) && s[to] == '=' && to < at+2 {
					to++
				}
				found.Add(inner.List[0].Rule, from, to)
			}
		}
	}
}

// codedEnd returns the end of the base64 at s[at], without its padding. Full lines of 60
// bytes or more go on in the next one.
func codedEnd(s string, at int) int {
	line := at
	for {
		end := at
		for end < len(s) && chars.In(s[end], chars.Alnum|chars.B64|chars.Dash) && s[end] != '=' {
			end++
		}
		if n := end - line; n >= 60 && n <= 76 && n%4 == 0 && end+1 < len(s) && s[end] == '\n' && chars.In(s[end+1], chars.Alnum|chars.B64) {
			at, line = end+1, end+1
			continue
		}
		return end
	}
}

// decoded returns the text that v is base64 of. What is no text is turned away after its
// first bytes.
func decoded(v string, buf *[]byte) (string, bool) {
	enc := base64.RawStdEncoding
	if strings.ContainsAny(v[:min(len(v), 256)], "-_") {
		enc = base64.RawURLEncoding
	}
	var head [12]byte
	if n, err := enc.Decode(head[:], []byte(v[:minCoded])); err != nil || !textual(head[:n], true) {
		return "", false
	}
	if len(v)%4 == 1 {
		v = v[:len(v)-1]
	}
	if cap(*buf) < len(v) {
		*buf = make([]byte, len(v))
	}
	out := (*buf)[:len(v)]
	n, err := enc.Decode(out, []byte(v)) // it skips line feeds
	if err != nil && n < len(v)/2 || !textual(out[:n], false) {
		return "", false
	}
	return string(out[:n]), true
}

// textual reports whether b is text; of a head the last character may be cut.
func textual(b []byte, head bool) bool {
	for at := 0; at < len(b); {
		if c := b[at]; c < 0x80 {
			if c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != 0x1b || c == 0x7f {
				return false
			}
			at++
			continue
		}
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n < 2 {
			return head && at+3 >= len(b) && at > 6
		}
		at += n
	}
	return len(b) > 0
}
