package index

import (
	"context"
	"errors"
)

// Options say what an index is for.
type Options struct {
	Store string                // the random id of the repository
	Model string                // whose vectors are searched; "" is none
	Dim   int                   // of its vectors
	Count func(text string) int // tokens, as the model counts; nil estimates
	Units func(*Doc) []string   // cuts a body for the words; nil is the default, others are for measuring
}

// An Index is safe for use by several goroutines, beside any number of other
// processes. What it returns does not refer to its files.
type Index struct {
	dir string
	o   Options
}

var (
	// ErrMoved refuses an update that starts from tips which the index has left.
	ErrMoved = errors.New("the index was updated meanwhile")
	// ErrDamaged says that a file does not hold what was written. The index is
	// empty from then on.
	ErrDamaged = errors.New("damaged")
	// ErrBusy says that another process wrote for too long.
	ErrBusy = errors.New("another process writes to the index")
)

// Open opens the index in dir, which may not be there yet. Damaged files, and
// those of another repository, are as good as none.
func Open(dir string, o Options) (*Index, error) { return &Index{dir, o}, nil }

// Close gives back what Open took.
func (x *Index) Close() error { return nil }

// Tips are the refs that the documents reflect, with their values; none if the
// index is empty and wants to be filled.
func (x *Index) Tips() map[string]string { return nil }

// A Change brings an index from some tips to others.
type Change struct {
	From, To map[string]string
	Docs     []Doc    // new, or in place of those with their key
	Removed  []string // keys
	Rebuild  bool     // Docs are all that there is; From does not count
}

// Update makes a change as a whole. Doing so twice is doing it once. It returns
// ErrMoved if the tips are not c.From any more: the caller then looks again at what
// changed.
func (x *Index) Update(ctx context.Context, c Change) error { return errors.ErrUnsupported }

// A ChunkID names a chunk by its text.
type ChunkID [16]byte

// A Chunk is a text that wants a vector.
type Chunk struct {
	ID   ChunkID
	Text string
}

// A Vector is that of a chunk, of unit length.
type Vector struct {
	ID ChunkID
	V  []float32
}

// Chunks are the chunks of d, as the index cuts it; a vector of each may be given
// to AddVectors before d itself.
func (x *Index) Chunks(d *Doc) []Chunk { return nil }

// Missing returns up to n chunks without a vector of the model, those of the
// newest documents first, and how many there are in all.
func (x *Index) Missing(ctx context.Context, n int) (some []Chunk, all int, err error) {
	return nil, 0, errors.ErrUnsupported
}

// AddVectors adds vectors of the model.
func (x *Index) AddVectors(ctx context.Context, v []Vector) error { return errors.ErrUnsupported }

// Search returns the candidates of both legs for q.
func (x *Index) Search(ctx context.Context, q Query) (*Result, error) {
	return nil, errors.ErrUnsupported
}

// Get returns what the index tells of one document, or nil.
func (x *Index) Get(key string) (*Meta, error) { return nil, errors.ErrUnsupported }

// Each calls yield with every document, until it returns false.
func (x *Index) Each(yield func(*Meta) bool) error { return errors.ErrUnsupported }

// Compact merges what single saves left, drops what nothing refers to and removes
// files that nobody uses. One process at a time does so; others go on meanwhile.
func (x *Index) Compact(ctx context.Context) error { return errors.ErrUnsupported }

// A Status is for people.
type Status struct {
	Docs, Chunks, Vectors int
	Segments              int
	Bytes                 int64
	Damaged               string // why the index is empty
	Compact               bool   // it is time to call it
}

// Status counts.
func (x *Index) Status() (Status, error) { return Status{}, errors.ErrUnsupported }
