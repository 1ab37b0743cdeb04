package segment

import (
	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// An ID is the first half of a blob's id.
type ID [16]byte

// A State says what became of a file.
type State uint8

// The states of a file. One that is not Read has no chunks.
const (
	Read      State = iota
	Binary          // holds a NUL byte in its first 8,000, as git decides
	Generated       // says so itself, or has lines that nobody wrote
	TooLarge        // more than MaxSize bytes
	Unparsed        // its syntax could not be read: its chunks are lines
)

// A File is a source as it is added.
type File struct {
	ID       ID
	Language string
	State    State
	Lines    int
	Chunks   []Chunk
}

// A Chunk is a piece of a file that is found by itself.
type Chunk struct {
	Kind        string // that of a definition (parse.Kinds); module: what lies between them; fallback: lines
	Name        string // "" of what defines nothing
	Container   string // what it is in: outer.inner
	Signature   string
	Doc         string
	First, Last int // lines, from 1
	Part        int // of a definition that was cut, from 0

	Text  ID      // hash of what is embedded of it
	Terms []Count // each term once
	Calls []Call
}

// A Count says how often a term stands in the fields of a chunk.
type Count struct {
	Term words.Term
	TF
}

// A TF are the counts of a term. As it is kept they end at 15, 1, 1 and 3: what stands more
// often says no more of a chunk.
type TF struct{ Body, Name, Signature, Doc uint8 }

func (c TF) pack() byte {
	return min(c.Body, 15) | min(c.Name, 1)<<4 | min(c.Signature, 1)<<5 | min(c.Doc, 3)<<6
}

func unpack(b byte) TF { return TF{b & 15, b >> 4 & 1, b >> 5 & 1, b >> 6} }

// A Call is a name that is called.
type Call struct {
	Name string
	Line int
}

// The rows of a segment.
type (
	fileRow struct {
		ID       ID
		Chunk, N uint32
		Lines    uint32
		Language uint16
		State    State
		_        uint8
	}
	chunkRow struct {
		File, First, Last uint32
		Strings, Sum      uint32 // where they begin, and their checksum
		Lens              [4]uint16
		Kind              uint16
		Part              uint16
		Length            uint16 // terms of all fields
		_                 uint16
	}
	termRow struct {
		Term words.Term
		At   uint64
		Len  uint32
		N    uint32 // chunks
		Sum  uint32
		_    uint32
	}
	// A nameRow leads from a name to a chunk, and to the line of a call.
	nameRow struct {
		Name  words.Term
		Chunk uint32
		Line  uint32
	}
)

const kindCode = 11

// The sections.
const (
	secFiles = iota
	secChunks
	secStrings
	secLabels
	secTerms
	secPostings
	secSymbols
	secCalls
	secTexts
	sections
)
