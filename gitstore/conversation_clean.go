package gitstore

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/redact"
)

// How much is kept of one utterance, in bytes. What is longer lacks its middle.
const (
	maxSaid   = 1 << 20  // of what somebody says, or is told
	maxTold   = 32 << 10 // of what a tool is given or answers
	maxMargin = 64 << 10 // that is looked at beyond: no half of a secret is left at a cut
)

// clean takes secrets and what nobody reads out of an utterance. Of one of which the
// redactor does not know what to think nothing is left but a note.
func (s *Store) clean(u Utterance) (_ Utterance, found []redact.Finding, bytes int, took time.Duration) {
	most := maxSaid
	if u.Who == ByCall || u.Who == ByAnswer {
		most = maxTold
	}
	began := time.Now()
	redacted := func(text string) string {
		out, f, err := s.o.Redact.Text(text)
		if err != nil {
			out = fmt.Sprintf("[%d bytes are not kept: whether they hold secrets cannot be told]", len(text))
		}
		bytes, found = bytes+len(text), redact.Merge(found, f)
		return out
	}
	u.Text = within(dropEncoded(u.Text), most, redacted)
	u.Tool, u.Call = clipBytes(redacted(u.Tool), maxTrailer), clipBytes(redacted(u.Call), maxTrailer)
	return u, found, bytes, time.Since(began)
}

// within is a text of at most so many bytes without secrets: if it is longer, its
// beginning and its end, and how much lies in between. What is cut off is looked at a
// little beyond the cut.
func within(s string, most int, redacted func(string) string) string {
	first, last := most*3/4, most/4
	if len(s) <= most+2*maxMargin {
		if s = redacted(s); len(s) <= most {
			return s
		}
		return gap(headOf(s, first), tailOf(s, last), len(s)-first-last)
	}
	head, tail := redacted(headOf(s, first+maxMargin)), redacted(tailOf(s, last+maxMargin))
	return gap(headOf(head, first), tailOf(tail, last), len(s)-first-last)
}

func gap(head, tail string, between int) string {
	return fmt.Sprintf("%s\n[%d bytes are not kept]\n%s", head, between, tail)
}

// headOf and tailOf are the beginning and the end of a text, whole characters.
func headOf(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func tailOf(s string, n int) string {
	at := max(0, len(s)-n)
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return s[at:]
}

// Encoded data is what no person writes: so many signs of base64 without a blank, or so
// many lines of the same length.
const (
	longEncoded  = 2000
	linesEncoded = 30
	leastLine    = 60
)

// dropEncoded leaves pictures and other data out of a text, and says how much that was.
func dropEncoded(s string) string {
	if len(s) < longEncoded {
		return s
	}
	var b strings.Builder
	kept := 0
	for at := 0; at < len(s); {
		end := encodedEnd(s, at)
		if end-at < longEncoded {
			at = max(end, at+1)
			continue
		}
		fmt.Fprintf(&b, "%s[%d bytes of base64 are not kept]", s[kept:at], end-at)
		at, kept = end, end
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// encodedEnd is where data ends that begins at s[at]: one long line, or lines of the same
// length and what is left over.
func encodedEnd(s string, at int) int {
	end := lineEnd(s, at)
	width := end - at
	if width < leastLine {
		return end
	}
	lines, last := 1, end
	for last < len(s) && s[last] == '\n' {
		next := lineEnd(s, last+1)
		if next-last-1 != width {
			if lines >= linesEncoded && next-last-1 < width {
				last = next
			}
			break
		}
		lines, last = lines+1, next
	}
	if lines >= linesEncoded {
		return last
	}
	return end
}

// lineEnd is where signs of base64 end that begin at s[at].
func lineEnd(s string, at int) int {
	for at < len(s) && isEncoded[s[at]] {
		at++
	}
	return at
}

var isEncoded = func() (t [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-") {
		t[c] = true
	}
	return t
}()
