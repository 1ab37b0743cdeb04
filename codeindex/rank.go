package codeindex

import (
	"cmp"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/codeindex/internal/history"
	"github.com/git-sage/git-sage/codeindex/internal/vectors"
	"github.com/git-sage/git-sage/codeindex/internal/words"
	"github.com/git-sage/git-sage/internal/lists"
)

// The constants of BM25F (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009,
// section 3.6), where a term counts once in the body and so often elsewhere.
const (
	k1, lengthNorm                     = 1.2, 0.4
	ofName, ofSignature, ofDoc, ofPath = 3.0, 0.5, 2.0, 1.0
)

// ofMessage is how much the words count with which commits changed a file, see
// [history.Past.Messages]. Of 400 fixes in ten repositories (ripgrep, fd, axios, express,
// chi, cobra, gson, click, flask, requests) all files were among the first five for 225
// without it and 273 with it, and among the first ten for 277 and 315; each of the ten gained
// in the first five, and only cobra lost one fix in the first ten. With .3 two of 160 fixes
// fewer are among the first five, with 1 one. How often and how lately a file was changed,
// without words, gave less than half as much, and files that change with the best hits
// nothing in five of seven repositories: neither counts.
const ofMessage = 0.5

// A question is what a text asks for.
type question struct {
	terms       []words.Term
	identifiers []string  // that look like names of code
	places      []mention // paths, with lines where a trace has them
	tests       bool      // it is about tests
	meaning     float64   // how much the cosine counts; the rest is of the words
}

// A mention is a path in a question.
type mention struct {
	path string
	line int // 0 is none
}

// paths finds what may be a path, with a line behind it: of a compiler's error, a test's
// failure, a stack trace of Go, Python, Java, JavaScript or Rust.
var paths = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:[\w@.+-]+/)*[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?:(?::|", line |\()(\d+))?`)
})

// ask reads a question.
func ask(text string) *question {
	q := &question{terms: words.Of(text)}
	ids := words.Identifiers(text)
	for _, m := range paths().FindAllStringSubmatchIndex(text, -1) {
		whole := text[m[0]:m[1]]
		file, line := whole, 0
		if m[2] >= 0 {
			line, _ = strconv.Atoi(text[m[2]:m[3]])
			file = strings.TrimRight(strings.TrimSuffix(text[m[0]:m[2]], `", line `), ":(")
		}
		q.places = append(q.places, mention{file, line})
	}
	for _, id := range ids {
		q.tests = q.tests || slices.ContainsFunc(words.Parts(id), func(p string) bool { return strings.HasPrefix(p, "test") })
		if looksLikeCode(id) || len(ids) == 1 {
			q.identifiers = append(q.identifiers, id)
		}
	}
	switch {
	case len(ids) <= 1:
		q.meaning = .2
	case len(q.identifiers) > 0:
		q.meaning = .5
	default:
		q.meaning = sentence
	}
	return q
}

// sentence is how much meaning counts in a question without a name of code. MRR@10 on CoSQA
// dev is .536 with it, .532 with .6, .535 with .8, .520 by meaning alone and .310 by words
// alone. Other constants of BM25F changed it by .003 at most.
const sentence = .7

// looksLikeCode reports whether nobody writes a word like this in prose.
func looksLikeCode(id string) bool {
	if strings.Contains(strings.Trim(id, "_"), "_") {
		return true
	}
	for i := 1; i < len(id); i++ {
		if 'A' <= id[i] && id[i] <= 'Z' && 'a' <= id[i-1] && id[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// A ranking orders the chunks of a view for a query.
type ranking struct {
	*live
	q      Query
	ask    *question
	vector []float32
	past   *history.Past // nil is unknown

	words [][]float32 // by segment and chunk: the BM25F score
	best  float64     // of what holds each term as often as it can
	found map[at]*candidate
}

// at is a chunk of a segment.
type at struct {
	part  int
	chunk uint32
}

// A candidate is a chunk that something speaks for.
type candidate struct {
	at
	words  float64 // share of the best score, 0 to 1
	cosine float64
	vector bool
	named  bool // the question names it
	line   int  // that the question names
	score  float64
}

func newRanking(l *live, q Query, vector []float32, past *history.Past) *ranking {
	return &ranking{live: l, q: q, ask: ask(q.Text), vector: vector, past: past, found: map[at]*candidate{}}
}

// deep is how many candidates each leg brings.
const deep = 200

func (r *ranking) run() ([]Hit, error) {
	if err := r.byWords(); err != nil {
		return nil, err
	}
	if err := r.byMeaning(); err != nil {
		return nil, err
	}
	r.byName()
	r.byPlace()
	if err := r.complete(); err != nil {
		return nil, err
	}
	list := make([]*candidate, 0, len(r.found))
	for _, c := range r.found {
		if len(r.q.Kinds) == 0 || slices.Contains(r.q.Kinds, r.parts[c.part].KindOf(c.chunk)) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), r.compare(a.at, b.at))
	})
	return r.hits(list)
}

// compare orders chunks for which the same speaks by their places, and not by the segments
// that happen to hold them: a search answers the same however the index was built.
func (r *ranking) compare(a, b at) int {
	return cmp.Or(cmp.Compare(r.pathOf(a.part, a.chunk).Path, r.pathOf(b.part, b.chunk).Path), cmp.Compare(a.chunk, b.chunk))
}

// hits are the best candidates, of those that show the same lines the better one.
func (r *ranking) hits(list []*candidate) ([]Hit, error) {
	limit := r.q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	var out []Hit
	for _, c := range list {
		if c.score < nothing {
			break
		}
		h, err := r.hit(c.part, c.chunk)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o Hit) bool {
			return o.Path == h.Path && h.First <= o.Last && o.First <= h.Last && o.Blob == h.Blob
		}) {
			continue
		}
		h.Score, h.Line = math.Round(1000*min(1, c.score))/1000, c.line
		h.Weak = c.score < weak && !c.named
		if out = append(out, h); len(out) == limit {
			break
		}
	}
	return out, nil
}

// weak is below which score little speaks for a hit, nothing below which it rounds to 0%, and
// is none.
const weak, nothing = .25, .005

// byMeaning adds the chunks nearest to the question.
func (r *ranking) byMeaning() error {
	if r.vector == nil {
		return nil
	}
	files := lists.Map(r.parts, func(p *part) *vectors.File { return p.vectors })
	list, err := vectors.Nearest(files, r.vector, deep, r.may)
	for _, n := range list {
		c := r.candidate(at{n.File, n.Chunk})
		c.cosine, c.vector = n.Cosine, true
	}
	return err
}

func (r *ranking) candidate(a at) *candidate {
	c := r.found[a]
	if c == nil {
		c = &candidate{at: a, words: float64(r.words[a.part][a.chunk])}
		r.found[a] = c
	}
	return c
}

// byName adds the definitions of names in the question.
func (r *ranking) byName() {
	for _, id := range r.ask.identifiers {
		for part, p := range r.parts {
			for _, c := range p.Defining(id) {
				if r.may(part, c) {
					r.candidate(at{part, c}).named = true
				}
			}
		}
	}
}

// byPlace adds what stands at the lines that the question names, and the files.
func (r *ranking) byPlace() {
	for _, m := range r.ask.places {
		base := path.Base(m.path)
		for _, pl := range r.list {
			file := r.view.Files[r.at[pl.part][pl.file]].Path
			if path.Base(file) != base || !endsAlike(file, m.path) {
				continue
			}
			f := r.parts[pl.part].File(pl.file)
			for n := f.Chunk; n < f.Chunk+f.N; n++ {
				info, err := r.parts[pl.part].Chunk(uint32(n))
				if err != nil || !r.may(pl.part, uint32(n)) || m.line > 0 && (m.line < info.First || m.line > info.Last) {
					continue
				}
				c := r.candidate(at{pl.part, uint32(n)})
				if m.line > 0 {
					c.named, c.line = true, m.line
				} else if n == f.Chunk {
					c.named = true
				}
			}
		}
	}
}

// endsAlike reports whether one path is the end of the other.
func endsAlike(a, b string) bool {
	a, b = "/"+strings.TrimPrefix(a, "/"), "/"+strings.TrimPrefix(strings.TrimPrefix(b, "./"), "/")
	return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

// complete gives each candidate what the other leg knows of it, and its score.
func (r *ranking) complete() error {
	for _, c := range r.found {
		if r.best > 0 {
			c.words = min(1, c.words/r.best)
		}
		if v := r.parts[c.part].vectors; r.vector != nil && !c.vector && v != nil {
			cosine, ok, err := v.Cosine(r.vector, c.chunk)
			if err != nil {
				return err
			}
			c.cosine, c.vector = cosine, ok
		}
		c.score = r.score(c)
	}
	return nil
}

// near is the cosine with all-MiniLM-L6-v2 from which on a chunk counts as meaning the same,
// far the one up to which it counts as having nothing in common. They make the scores that
// people see; the order of hits moves little with them.
const near, far = .75, .05

func (r *ranking) score(c *candidate) float64 {
	s := c.words
	if r.vector != nil {
		meaning := max(0, (c.cosine-far)/(near-far))
		if !c.vector { // its vector is not made yet, or it is too small to have one
			meaning = c.words * .8
		}
		s = r.ask.meaning*meaning + (1-r.ask.meaning)*c.words
	}
	switch {
	case c.line > 0:
		return .9 + .1*s
	case c.named:
		return .6 + .4*s
	}
	return s * r.standing(c)
}

// ofTest, ofProse and ofData are what a hit in a test counts, in a text about the code, or in
// a file of data: somebody who asks what code does wants that, and not what tries, describes
// or configures it. Of 20 questions about wazero in other words than its code has, a reciprocal
// rank of .27 in the mean, and .23 where texts count as much as code.
const ofTest, ofProse, ofData = .85, .85, .7

func (r *ranking) standing(c *candidate) float64 {
	p, file := r.parts[c.part], r.pathOf(c.part, c.chunk).Path
	switch {
	case isData(p.File(p.FileOf(c.chunk)).Language):
		return ofData
	case isDoc(file):
		return ofProse
	case !r.ask.tests && IsTest(file):
		return ofTest
	}
	return 1
}
