package tokens

import "sync"

// A tokenTable finds the shapes that may begin at a byte. The pairs of first
// bytes turn nearly every position away with one look.
type tokenTable struct {
	pairs   [1024]uint64
	byFirst [256][]uint8
}

// table is built when a text is first scanned.
var table = sync.OnceValue(buildTable)

func buildTable() *tokenTable {
	t := &tokenTable{}
	for k, p := range shapes {
		pair := int(p.prefix[0])<<8 | int(p.prefix[1])
		t.pairs[pair>>6] |= 1 << (pair & 63)
		t.byFirst[p.prefix[0]] = append(t.byFirst[p.prefix[0]], uint8(k))
	}
	return t
}
