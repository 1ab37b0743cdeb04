package index

import "github.com/git-sage/git-sage/recall/index/internal/segment"

// A Query asks for documents by words, by a vector or by both.
type Query struct {
	Text   string
	Vector []float32                // of unit length; nil asks by words alone
	Kinds  []string                 // of documents that count, also in the statistics; none is all
	Limit  int                      // candidates of each leg; 0 is DefaultLimit
	Filter func(*segment.Meta) bool // candidates that may be; nil is all
	Only   []string                 // keys of documents that may be candidates; nil is all. It costs less than Filter
	Also   []string                 // keys of documents that are candidates whatever they score
	BM25   *BM25                    // nil is DefaultBM25
}

// DefaultLimit is how many candidates each leg brings.
const DefaultLimit = 50

// maxShared is how many documents may share a keyword that makes them candidates by
// itself: what more share says little of each.
const maxShared = 64

// mostShared is how many may share one so that it is asked of each whether somebody here stands
// for it: what is from elsewhere takes no keyword away from what is not.
const mostShared = 2000

// BM25 are the constants of the keyword score. A term counts TF = body + Title x
// title + Keywords x keywords times in a unit, whose length is summed up likewise.
type BM25 struct {
	K1, B           float64
	Title, Keywords float64
}

// DefaultBM25 has the k1 and b that Robertson and Zaragoza found good for most
// collections (The Probabilistic Relevance Framework, 2009, section 3.4), and counts
// all words alike.
var DefaultBM25 = BM25{K1: 1.2, B: 0.75, Title: 1, Keywords: 1}

// A Result holds the candidates of both legs, each with both scores, in the order
// of their keys.
type Result struct {
	Hits     []Hit
	Terms    []Term    // of the query, each once, in its order
	Keywords []Keyword // of documents, that stand in the query as a whole
	Units    int       // that the statistics are of
	Best     float64   // the keyword score of a unit that is the query itself

	// Of all vectors, whatever the query: what all texts have in common says nothing
	// of one. Vectors that no document has any more count until the next merge.
	Vectors int
	Mean    []float32 // nil if there are none
}

// A Term is one of a query.
type Term struct {
	Text  string  // as it is compared
	Count int     // in the query
	Units int     // that have it
	IDF   float64 // times Count in the score
}

// A Keyword is one that documents have.
type Keyword struct {
	Phrase string // as terms.Phrase writes it
	Docs   int    // that have it; of more than 64 none is a candidate for it alone
	Ours   int    // those that somebody here stands for, which count by themselves
}

// A Hit is a candidate.
type Hit struct {
	Meta    *segment.Meta
	Keyword float64   // BM25 of the best unit; 0 if no term is there
	Unit    int       // that one
	Matched []int     // of Result.Terms, those in any unit of the document
	Exact   []int     // of Result.Keywords, those of the document
	Vector  bool      // there is a vector of the model
	Cosine  float64   // of the best chunk; 0 without a vector
	Chunk   int       // that one,
	Chunks  int       // of so many
	Nearest []float32 // its vector
}
