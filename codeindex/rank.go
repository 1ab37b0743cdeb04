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
	"github.com/git-sage/git-sage/codeindex/internal/segment"
	"github.com/git-sage/git-sage/codeindex/internal/words"
)

// weights say how much each sign counts for a kind of question.
type weights struct {
	meaning float64 // of the cosine; the rest is of the words
}

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
	text        string
	terms       []words.Term
	weight      []float64 // of each term; it is less of what is a part of others
	identifiers []string  // that look like names of code
	places      []mention // paths, with lines where a trace has them
	tests       bool      // it is about tests
	weights
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
	q := &question{text: text}
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
	seen := map[words.Term]bool{}
	for _, t := range words.Of(text) {
		if !seen[t] {
			seen[t] = true
			q.terms, q.weight = append(q.terms, t), append(q.weight, 1)
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

// sentence is how much meaning counts in a question without a name of code. On CoSQA dev.
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
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(r.pathOf(a.part, a.chunk).Path, r.pathOf(b.part, b.chunk).Path), cmp.Compare(a.chunk, b.chunk))
	})
	return r.hits(list)
}

// hits are the best candidates, of those that show the same lines the better one.
func (r *ranking) hits(list []*candidate) ([]Hit, error) {
	limit := r.q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	var out []Hit
	for _, c := range list {
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

// weak is below which score little speaks for a hit.
const weak = .25

// byWords scores all chunks by the terms of the question.
func (r *ranking) byWords() error {
	n, length := 0, 0.
	for _, at := range r.list {
		f := r.parts[at.part].File(at.file)
		n += f.N
		for c := f.Chunk; c < f.Chunk+f.N; c++ {
			length += float64(r.parts[at.part].Length(uint32(c)))
		}
	}
	average := length / float64(max(1, n))
	for _, p := range r.parts {
		r.words = append(r.words, make([]float32, p.Len()))
	}
	inPath := r.paths()
	said := r.messages()
	for i, t := range r.ask.terms {
		df := len(inPath[t])
		for part := range r.parts {
			if err := r.parts[part].Postings(t, func(c uint32, _ segment.TF) {
				if r.may(part, c) && said.weight(part, r.parts[part].FileOf(c), i) == 0 {
					df++
				}
			}); err != nil {
				return err
			}
		}
		for f, weight := range said {
			if weight[i] > 0 { // it is in all its chunks
				df += r.parts[f.part].File(f.file).N
			}
		}
		if df == 0 {
			continue
		}
		idf := r.ask.weight[i] * math.Log(1+(float64(n)-float64(min(df, n))+.5)/(float64(df)+.5))
		r.best += idf * (k1 + 1)
		add := func(part int, c uint32, tf float64) {
			size := 1 - lengthNorm + lengthNorm*float64(r.parts[part].Length(c))/average
			r.words[part][c] += float32(idf * tf * (k1 + 1) / (tf + k1*size))
		}
		has := map[place]bool{}
		for _, f := range inPath[t] {
			has[f] = true
		}
		own := map[at]bool{} // what has the term, of files whose commits do
		for part, p := range r.parts {
			if err := p.Postings(t, func(c uint32, n segment.TF) {
				if !r.may(part, c) {
					return
				}
				tf := float64(n.Body) + ofName*float64(n.Name) + ofSignature*float64(n.Signature) + ofDoc*float64(n.Doc)
				if has[place{part, p.FileOf(c)}] {
					tf += ofPath
				}
				if w := said.weight(part, p.FileOf(c), i); w > 0 {
					tf += ofMessage * w
					own[at{part, c}] = true
				}
				add(part, c, tf)
			}); err != nil {
				return err
			}
		}
		for f, weight := range said {
			info := r.parts[f.part].File(f.file)
			for c := info.Chunk; weight[i] > 0 && c < info.Chunk+info.N; c++ {
				if !own[at{f.part, uint32(c)}] {
					add(f.part, uint32(c), ofMessage*weight[i])
				}
			}
		}
	}
	var top []*candidate
	for part, scores := range r.words {
		for c, s := range scores {
			if s > 0 {
				top = append(top, &candidate{at: at{part, uint32(c)}, words: float64(s)})
			}
		}
	}
	slices.SortFunc(top, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(a.part, b.part), cmp.Compare(a.chunk, b.chunk))
	})
	for _, c := range top[:min(deep, len(top))] {
		r.found[c.at] = c
	}
	return nil
}

// messages are, of each file, the weights that its commits give to the terms of a question.
type messages map[place][]float64

// weight is that of a term.
func (m messages) weight(part, file, term int) float64 {
	if w := m[place{part, file}]; w != nil {
		return w[term]
	}
	return 0
}

func (r *ranking) messages() messages {
	if r.past == nil {
		return nil
	}
	out := messages{}
	byPath := r.past.Messages(r.ask.terms)
	for _, f := range r.list {
		if weight := byPath[r.view.Files[r.at[f.part][f.file]].Path]; weight != nil {
			out[f] = weight
		}
	}
	return out
}

// paths are the files whose path has a term of the question.
func (r *ranking) paths() map[words.Term][]place {
	wanted := map[words.Term]bool{}
	for _, t := range r.ask.terms {
		wanted[t] = true
	}
	out := map[words.Term][]place{}
	reader := words.NewReader()
	for _, at := range r.list {
		file := &r.view.Files[r.at[at.part][at.file]]
		reader.Each(file.Path, func(list []words.Term) {
			for _, t := range list {
				if have := out[t]; wanted[t] && (len(have) == 0 || have[len(have)-1] != at) {
					out[t] = append(have, at)
				}
			}
		})
	}
	return out
}

// byMeaning adds the chunks nearest to the question.
func (r *ranking) byMeaning() error {
	if r.vector == nil {
		return nil
	}
	for part, p := range r.parts {
		if p.vectors == nil {
			continue
		}
		list, err := p.vectors.Nearest(r.vector, deep, func(c uint32) bool { return r.may(part, c) })
		if err != nil {
			return err
		}
		for _, n := range list {
			c := r.candidate(at{part, n.Chunk})
			c.cosine, c.vector = n.Cosine, true
		}
	}
	return nil
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
				if err != nil || m.line > 0 && (m.line < info.First || m.line > info.Last) {
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

// near is the cosine of what means the same, far that of what has nothing in common: with
// all-MiniLM-L6-v2 questions of CoSQA have .55 with their function on average and .05 with
// others.
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

// ofTest and ofData are what a hit in a test counts, or in a file of data: somebody who asks
// what code does wants that, and not what tries or configures it.
const ofTest, ofData = .85, .7

func (r *ranking) standing(c *candidate) float64 {
	p := r.parts[c.part]
	switch file := p.File(p.FileOf(c.chunk)); {
	case slices.Contains([]string{"json", "yaml", "toml", "ini"}, file.Language):
		return ofData
	case !r.ask.tests && IsTest(r.pathOf(c.part, c.chunk).Path):
		return ofTest
	}
	return 1
}
