package index

// A Query asks for documents by words, by a vector or by both.
type Query struct {
	Text   string
	Vector []float32 // of unit length; nil asks by words alone
	Kinds  []string  // of documents that count, also in the statistics; none is all
	Limit  int       // candidates of each leg; 0 is DefaultLimit
	Filter func(*Meta) bool
	BM25   *BM25 // nil is DefaultBM25
}

// DefaultLimit is how many candidates each leg brings.
const DefaultLimit = 50

// BM25 are the constants of the keyword score. A term counts TF = body + Title x
// title + Keywords x keywords times in a unit, whose length is summed up likewise.
type BM25 struct {
	K1, B           float64
	Title, Keywords float64
}

// A Result holds the candidates of both legs, each with both scores, in the order
// of their keys.
type Result struct {
	Hits  []Hit
	Terms []Term  // of the query, each once, in its order
	Units int     // that count
	Best  float64 // what a unit would score in which the terms fill everything
}

// A Term is one of a query.
type Term struct {
	Text  string  // as it is compared
	Count int     // in the query
	Units int     // that have it
	IDF   float64 // times Count in the score
}

// A Hit is a candidate.
type Hit struct {
	Meta    *Meta
	Keyword float64  // BM25 of the best unit; 0 if no term is there
	Unit    int      // that one
	Matched []int    // of Result.Terms, those in any unit of the document
	Exact   []string // keywords that stand in the query as a whole
	Vector  bool     // there is a vector of the model
	Cosine  float64  // of the best chunk; 0 without a vector
	Chunk   int      // that one
}
