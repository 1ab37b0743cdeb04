package transcript

import (
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

// Position returns how far the file was read: what Next gave out, whole lines.
func (r *Reader) Position() Position { return Position{r.at, sumTo(r.f, r.at)} }

// holds reports whether f still has what was read of it.
func (p Position) holds(f io.ReaderAt) bool {
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
