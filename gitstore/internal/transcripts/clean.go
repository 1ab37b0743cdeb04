package transcripts

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/redact"
)

// How much is kept of one utterance, in bytes. What is longer lacks its middle.
const (
	maxSaid = 1 << 20  // of what somebody says, or is told
	maxTold = 32 << 10 // of what a tool is given or answers
)

// clean takes secrets and what nobody reads out of an utterance. Of one of which the
// redactor does not know what to think nothing is left but a note.
func (t *Transcripts) clean(u Utterance) (_ Utterance, found []redact.Finding, bytes int, took time.Duration) {
	most := maxSaid
	if u.Who == ByCall || u.Who == ByAnswer {
		most = maxTold
	}
	began := time.Now()
	within := func(text string, most int) string {
		first, last := most*3/4, most/4
		head, tail, f, err := t.repo.Options.Redact.Ends(text, first, last)
		bytes, found = bytes+min(len(text), most+2*redact.Margin), redact.Merge(found, f)
		switch {
		case err != nil:
			return fmt.Sprintf("[%d bytes are not kept: whether they hold secrets cannot be told]", len(text))
		case tail != "":
			return fmt.Sprintf("%s\n[%d bytes are not kept]\n%s", head, len(text)-first-last, tail)
		}
		return head
	}
	u.Text = within(dropEncoded(u.Text), most)
	u.Tool, u.Call = record.ClipBytes(within(u.Tool, most), record.MaxTrailer), record.ClipBytes(within(u.Call, most), record.MaxTrailer)
	return u, found, bytes, time.Since(began)
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
