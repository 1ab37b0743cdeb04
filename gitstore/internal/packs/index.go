// Package packs reads which objects a pack of git's holds.
package packs

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"sort"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// An Index is the list of the objects in one pack.
type Index struct {
	table []byte // ids, in order, without anything between them
	size  int    // bytes of an id
}

// The form is that of Documentation/gitformat-pack in git, version 2: a mark, a
// table of how many ids begin with at most each byte, and then the ids.
const (
	mark   = "\xfftOc\x00\x00\x00\x02"
	fanout = len(mark)
	first  = fanout + 256*4
)

// Read reads the index of a pack whose ids are of size bytes.
func Read(name string, size int) (*Index, error) {
	b, err := fsx.ReadFile(name)
	if err != nil {
		return nil, err
	}
	x, ok := parse(b, size)
	if !ok {
		return nil, fmt.Errorf("read %s: not the index of a pack", name)
	}
	return x, nil
}

func parse(b []byte, size int) (*Index, bool) {
	if len(b) < first || string(b[:fanout]) != mark {
		return nil, false
	}
	n := int(binary.BigEndian.Uint32(b[first-4:]))
	if n > (len(b)-first)/size {
		return nil, false
	}
	return &Index{b[first : first+n*size], size}, true
}

// Len is how many objects the pack holds.
func (x *Index) Len() int { return len(x.table) / x.size }

// Has reports whether the pack holds the object with this id.
func (x *Index) Has(id string) bool {
	want, err := hex.DecodeString(id)
	if err != nil || len(want) != x.size {
		return false
	}
	i := sort.Search(x.Len(), func(i int) bool { return bytes.Compare(x.at(i), want) >= 0 })
	return i < x.Len() && bytes.Equal(x.at(i), want)
}

// ID is the i-th id.
func (x *Index) ID(i int) string { return hex.EncodeToString(x.at(i)) }

func (x *Index) at(i int) []byte { return x.table[i*x.size : (i+1)*x.size] }

// Check returns an error if the file of an index cannot be that of a pack whose ids are of
// size bytes: git reads none whose length is not that of so many ids as it says.
func Check(name string, size int) error {
	f, err := fsx.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	var head [first]byte
	n, _ := io.ReadFull(f, head[:])
	version, entry := fanout, int64(size)+4+4 // an id, its checksum and where it lies
	if !bytes.HasPrefix(head[:n], []byte(mark)) {
		version, entry = 0, int64(size)+4 // the first version has no mark
	}
	table := version + 256*4
	if n < table {
		return fmt.Errorf("cut off at %d bytes", st.Size())
	}
	ids := int64(binary.BigEndian.Uint32(head[table-4:]))
	least := int64(table) + ids*entry + 2*int64(size)
	most := least
	if version > 0 && ids > 0 {
		most += 8 * (ids - 1) // of packs beyond 2 GiB
	}
	if st.Size() < least || st.Size() > most {
		return fmt.Errorf("%d bytes long, for %d objects", st.Size(), ids)
	}
	return nil
}
