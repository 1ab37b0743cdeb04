package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// sampled is how much is looked at, at either end of what was read, to tell whether it
// is still there: a few records of the client's.
const sampled = 1 << 10

// A Position says how far a transcript was read. It fits the same file for as long as
// that only grows.
type Position struct {
	Offset int64  `json:"offset"`        // bytes, up to the end of the last whole line
	Sum    string `json:"sum,omitempty"` // over the first and last kB of them; "" for none
}

// Behind returns the position behind the last whole line among the first size bytes of
// a transcript, for who does not want what is before it. A line of more than 10 MB begins
// for it where it looked last.
func Behind(f io.ReaderAt, size int64) Position {
	const step = 64 << 10
	b := make([]byte, step)
	for end := size; end > max(0, size-maxLine); end -= step {
		from := max(0, end-step)
		n, _ := f.ReadAt(b[:end-from], from)
		if i := 1 + bytes.LastIndexByte(b[:n], '\n'); i > 0 {
			at := from + int64(i)
			return Position{at, sumTo(f, at)}
		}
	}
	at := max(0, size-maxLine)
	return Position{at, sumTo(f, at)}
}

// Holds reports whether f still has what was read of it.
func (p Position) Holds(f io.ReaderAt) bool {
	return p.Offset > 0 && p.Sum != "" && p.Sum == sumTo(f, p.Offset)
}

// sumTo sums up the first and the last of the bytes before at; "" if they are not there.
func sumTo(f io.ReaderAt, at int64) string {
	if at <= 0 {
		return ""
	}
	b := make([]byte, min(sampled, at))
	h := sha256.New()
	for _, from := range []int64{0, at - int64(len(b))} {
		if n, _ := f.ReadAt(b, from); n < len(b) {
			return ""
		}
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// maxLine is the longest line that is read, in bytes. The longest that a client was
// seen to write has some 60 kB, a picture some MB.
const maxLine = 10 << 20
