package index

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// wholeFile names the lists with which no chunk lacked a vector: looking for one costs
// 2.3 ms with 10,000 documents and 15 with 100,000, and every prompt asks.
func (x *Index) wholeFile() string { return x.vecs.Prefix + ".whole" }

// wholeOf is what it holds for two lists. Segments have names that no other has, so that
// equal lists name equal segments.
func wholeOf(lists [2]string) string {
	sum := sha256.Sum256([]byte(lists[0] + "\x00" + lists[1]))
	return hex.EncodeToString(sum[:]) + "\n"
}

// isWhole reports whether it is known that nothing is missing with these lists.
func (x *Index) isWhole(lists [2]string) bool {
	x.wholeMu.Lock()
	defer x.wholeMu.Unlock()
	if lists[0] == "" {
		return false
	}
	if x.whole != lists {
		b, err := x.vecs.Read(x.wholeFile())
		if err != nil || string(b) != wholeOf(lists) {
			return false
		}
		x.whole = lists
	}
	return true
}

// noteWhole notes that nothing is missing. Where that cannot be written, the next one
// looks again.
func (x *Index) noteWhole(lists [2]string) {
	x.wholeMu.Lock()
	defer x.wholeMu.Unlock()
	if lists[0] == "" || x.whole == lists {
		return
	}
	x.whole = lists
	_ = x.vecs.Write(x.wholeFile(), func(w io.Writer) error {
		_, err := io.WriteString(w, wholeOf(lists))
		return err
	})
}

// forgetWhole is for who met damage: the lists still name what holds it, and whoever looks
// for what is missing has to make it anew.
func (x *Index) forgetWhole() {
	x.wholeMu.Lock()
	defer x.wholeMu.Unlock()
	x.whole = [2]string{}
	_ = x.vecs.Remove(x.wholeFile()) // where that fails, so does what would heal it
	_ = x.vecs.Remove(x.restFile())
}
